"""Automata: patterns as states over tokens, where they begin, how they run, which labels they set."""
