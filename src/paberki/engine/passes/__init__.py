"""The passes of a build: numbering, map, fit, join."""
