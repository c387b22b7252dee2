"""Matches put together: joined, near each other, in relations, under constraints on labels."""
