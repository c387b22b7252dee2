"""What the words of a corpus say about it: measured on an index, of a corpus of ours or of a foreign file."""
