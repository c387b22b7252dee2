"""``python -m paberki``."""

from paberki.cli import main

main()
