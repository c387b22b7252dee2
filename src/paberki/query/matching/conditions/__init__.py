"""Which tokens and regions satisfy a condition?"""
