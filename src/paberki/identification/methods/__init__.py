"""Methods that tell languages apart, by name."""
