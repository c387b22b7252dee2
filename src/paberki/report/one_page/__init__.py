"""Everything that is known about one page, and two pages side by side."""
