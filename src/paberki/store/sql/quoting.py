"""Texts and names as SQL writes them; conditions of rules write their texts in the same way."""

from __future__ import annotations


def quote(text: str) -> str:
    """The text between single quotation marks."""
    return "'" + text.replace("'", "''") + "'"


def quote_name(name: str) -> str:
    """The name of a column or a view between double quotation marks."""
    return '"' + name.replace('"', '""') + '"'
