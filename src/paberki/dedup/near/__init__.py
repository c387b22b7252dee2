"""Which texts are nearly the same? Pairs, clusters, and the stages that label them."""
