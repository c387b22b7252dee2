"""How the models of identification are learnt, calibrated and scored."""
