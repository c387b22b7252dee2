"""Which lemma does a form have? Pairs from training, a dictionary, rules for endings."""
