"""Which request comes next, and what follows from the answer?"""
