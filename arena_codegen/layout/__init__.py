"""F4. Plan + Requests → Layout: the value that every output is made from, and its JSON."""

from arena_codegen.layout.build import lay_out
from arena_codegen.layout.json import layout_from_json, layout_to_json
from arena_codegen.layout.tail import measure_tail
from arena_codegen.layout.types import Layout

__all__ = ["Layout", "lay_out", "layout_from_json", "layout_to_json", "measure_tail"]
