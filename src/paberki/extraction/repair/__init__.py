"""What was the text meant to be? Repairs that remember where each character came from."""
