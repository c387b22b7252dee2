"""Is it connected text, or a list? Profiles of function words and badness against them (P5 §3.3)."""
