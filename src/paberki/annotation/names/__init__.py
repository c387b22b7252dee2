"""Which words are names of persons, places, organisations?"""
