"""Document rules of Gopher, C4, FineWeb, OSCAR and P1."""
