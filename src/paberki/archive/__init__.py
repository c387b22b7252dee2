"""Where are the bytes of a page in the archive, and what are they?"""
