"""The recipe of a corpus: ``corpus.toml`` on top of a preset, and how its settings are checked."""
