"""One page of the corpus, from its bytes to its words."""
