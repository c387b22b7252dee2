"""HTML and SVG that escape every value: the pieces that reports and pages are made of."""
