"""How an index is made: strings to numbers, columns to files, segment by segment."""
