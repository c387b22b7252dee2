"""Conditions: names of an index, sets of values, tests on tokens and regions."""
