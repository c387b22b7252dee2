"""Handing a corpus over: take-downs, frozen versions, cards, and corpora rebuilt from lists of addresses."""
