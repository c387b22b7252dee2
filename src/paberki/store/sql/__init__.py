"""SQL over a corpus, inside the program and without it."""
