"""One request and its answer: names, addresses, connections, limits."""
