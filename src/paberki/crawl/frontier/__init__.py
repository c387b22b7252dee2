"""Which URLs wait, which were met before, what is known about their hosts?"""
