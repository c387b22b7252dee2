"""How good is it, may I use it?"""
