"""Which lemma does a form have? What was seen, a dictionary, rules for endings."""
