"""How do several processes crawl one web side by side?"""
