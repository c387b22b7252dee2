"""Marks that users can cut on: block lists, machine translation, spam."""
