"""Words written without diacritics (P2 §5)."""
