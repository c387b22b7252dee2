"""Files of annotation: CoNLL-U and vertical text, and the model files with all their layers."""
