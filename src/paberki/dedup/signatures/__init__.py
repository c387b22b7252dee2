"""A short signature for every text: shingles, hashes, and the search for equal values."""
