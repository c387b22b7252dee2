"""What is indexed: vertical files, CoNLL-U, registry files, token layers of our own corpora."""
