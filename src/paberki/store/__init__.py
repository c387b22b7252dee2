"""Keep it: the schema, layers, selection, views and locks of a corpus."""
