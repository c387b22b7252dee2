"""What lists are counted with: values, pages and hosts, parts of a corpus, windows, how evenly things are spread."""
