"""Which pages and blocks are in the corpus, and why the others are not."""
