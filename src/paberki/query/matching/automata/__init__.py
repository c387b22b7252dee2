"""Where do rows of tokens occur? Patterns as automata, and their runs over a segment."""
