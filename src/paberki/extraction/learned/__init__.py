"""The learned method: features of blocks, boosted trees, their training."""
