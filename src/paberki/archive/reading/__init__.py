"""What are the bytes of the record at a position of a WARC or ARC file?"""
