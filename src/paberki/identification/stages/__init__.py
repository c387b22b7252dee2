"""Identification as stages of a build."""
