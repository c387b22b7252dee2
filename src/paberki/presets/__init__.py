"""Recipes that come with the package: the papers' parameters, and two modern ones."""
