"""How do tokens become lines of a format?"""
