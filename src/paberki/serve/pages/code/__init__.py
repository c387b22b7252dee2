"""Coding: labels that people give to pages and to lines."""
