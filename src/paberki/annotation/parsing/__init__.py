"""Which word depends on which? The dependency parser, how it learns, and valency frames over its trees."""
