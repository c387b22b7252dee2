"""Which URLs wait, which were met before, and what is known about their hosts?"""
