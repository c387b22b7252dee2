"""How do answers get into the archive, each exactly once?"""
