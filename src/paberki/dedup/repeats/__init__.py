"""What stands on an earlier page already? Repeated paragraphs, runs of words, long passages."""
