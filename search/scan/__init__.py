"""The inner loop of a hunt and its tally, without a Python object inside."""
