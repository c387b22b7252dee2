"""Where something occurs: the concordance and the lists that are counted from it."""
