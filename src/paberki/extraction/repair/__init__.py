"""Repairs of damaged text that remember where each character came from."""
