"""HTML into blocks of text, in plain Python: the reference for the compiled pass, and what both share."""
