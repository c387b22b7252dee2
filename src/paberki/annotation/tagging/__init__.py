"""Which tag does a word have? The tagger, its lexicon and its features."""
