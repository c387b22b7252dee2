"""Character n-gram models of the corpus itself, and ranks of scores (P3 §6)."""
