"""Here is a place in a WARC or ARC file: what are its bytes?"""
