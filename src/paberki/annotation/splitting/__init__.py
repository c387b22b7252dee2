"""Where do tokens and sentences end?"""
