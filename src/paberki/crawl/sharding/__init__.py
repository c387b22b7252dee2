"""Several crawls of one web side by side."""
