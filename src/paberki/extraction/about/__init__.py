"""What is known about a page beside its text: dates, authors, in-links, is it a page at all?"""
