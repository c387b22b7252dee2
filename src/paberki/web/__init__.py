"""What is a URL, may it be fetched, may its page be kept? Pure functions without state, clock or socket."""
