"""How do files from outside get into warc/?"""
