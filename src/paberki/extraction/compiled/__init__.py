"""Segmentation at full speed: the compiled pass over the bytes of a page and its arrays."""
