"""How good is an extractor? Pages with gold text, and the measures."""
