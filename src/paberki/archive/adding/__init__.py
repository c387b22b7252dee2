"""How are files from outside added to warc/?"""
