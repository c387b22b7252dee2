"""Where can matches begin? Whoever knows need not look at all tokens."""
