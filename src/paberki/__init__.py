"""paberki: from a national web to a clean, annotated, searchable, documented text corpus."""
