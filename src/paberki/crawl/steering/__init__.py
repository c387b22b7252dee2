"""Which request comes next, and what follows from its answer?"""
