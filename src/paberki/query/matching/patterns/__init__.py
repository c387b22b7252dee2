"""Patterns beyond rows of tokens: labels, relations, spans, words near each other."""
