"""What does a fetched page say: links, statements about rights, is it text that we want?"""
