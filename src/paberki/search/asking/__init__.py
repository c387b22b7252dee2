"""What is searched for? From the words that somebody types to a plan for the engine."""
