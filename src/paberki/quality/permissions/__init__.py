"""May I use it? Rights, licences, personal data."""
