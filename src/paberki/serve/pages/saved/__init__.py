"""Queries that people keep: history, names, watches."""
