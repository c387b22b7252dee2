"""Where a crawl starts: queries from word lists, URLs from an index, home pages, sitemaps (P1 §2.1, P3 §3, P5 §2).

1. ``frequent_words`` ranks the words of a list, a text or an older corpus.
2. ``word_tuples`` draws queries from a window of ranks: bigrams (P1, P3) or triples of content words (P5).
3. ``common_crawl_index`` reads a Common Crawl index; ``lookup`` finds URLs for queries in it, ``size`` estimates the size of a web.
4. ``homes`` reduces URLs from any of these sources to home pages on a top-level domain.
"""
