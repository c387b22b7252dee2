"""Model files of other programs, read within bounds."""
