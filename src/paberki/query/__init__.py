"""Where does it occur: a concordancer over memory-mapped columns."""
