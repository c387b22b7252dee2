"""Have I seen this? Exact and near copies, repeated paragraphs and passages; everything is labelled, nothing deleted."""
