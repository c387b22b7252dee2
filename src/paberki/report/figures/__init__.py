"""One module for each figure or table of a report."""
