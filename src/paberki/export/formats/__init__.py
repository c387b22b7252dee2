"""One module for each format, with a ``FORM``."""
