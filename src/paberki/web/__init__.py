"""What is a URL, may I fetch it, may I keep it? No state, clock or socket."""
