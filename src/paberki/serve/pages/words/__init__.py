"""Lists of words: frequency, n-grams, keywords, sketches, similar words."""
