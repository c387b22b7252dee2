"""What was kept and why, and what another cut would change."""
