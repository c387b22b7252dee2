"""Pages that were taken down: the list of them, and how their content goes from layers and queues."""
