"""Reports: what is in a corpus and what became of its pages, as tables, figures and one HTML page.

``written_report`` writes the whole report, ``one_page`` explains a page, ``peek`` draws a sample; this file imports
none of them, so that a question about one page does not load every figure.
"""
