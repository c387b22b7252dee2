"""Which pages are exported, in which order, and with which values?"""
