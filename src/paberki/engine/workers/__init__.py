"""Who runs the tasks: guarded children on this machine, or a Ray cluster."""
