"""Hits as users hold them: counted, sorted, filtered, shown, written to files."""
