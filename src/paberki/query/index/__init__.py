"""The index: immutable segments of columns, a manifest that names them, selections over their blocks."""
