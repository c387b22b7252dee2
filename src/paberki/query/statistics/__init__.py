"""How often, where, with what: lists that are counted from hits or from the whole corpus."""
