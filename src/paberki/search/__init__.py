"""Which documents are about it? Document search: ranking, fields, snippets.

:mod:`~paberki.search.updating` makes and renews the index of a corpus, :mod:`~paberki.search.searching` asks it. Only
:mod:`~paberki.search.engine` knows the library below (tantivy).
"""
