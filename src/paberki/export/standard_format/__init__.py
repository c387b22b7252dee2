"""Web Standard Format (P4 §2): a page with its sentences, their places in the bytes of the page, and annotation, as XML.

:func:`~paberki.export.standard_format.standard_page.standard_page` puts a page together from its columns,
:func:`~paberki.export.standard_format.standard_xml.page_xml` writes it; ``standard_format.dtd`` describes the result.
"""
