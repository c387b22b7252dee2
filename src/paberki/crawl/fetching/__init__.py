"""How is one request sent and its answer received? Names, addresses, connections, limits."""
