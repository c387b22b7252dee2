"""How are answers written to the archive, each exactly once?"""
