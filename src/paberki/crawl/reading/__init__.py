"""What does a fetched page hold: links, statements about rights, wanted text?"""
