"""The report in the browser: numbers of now, and what ``paberki report`` and ``compare`` have written."""
