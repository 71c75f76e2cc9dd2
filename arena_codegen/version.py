"""F0. The version of the tool; the package metadata reads it from here."""

VERSION = "1.0.0"
