"""A small web on loopback with known answers, for the demo and the tests."""
