"""Where do the bytes of a page lie, and what are they?"""
