"""Methods of the papers: which blocks are text?"""
