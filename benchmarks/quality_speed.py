def run(rows, texts): pass
