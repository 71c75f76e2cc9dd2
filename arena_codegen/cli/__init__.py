"""F8. The command line: the only home of print, colour and exit codes; one command a file."""
