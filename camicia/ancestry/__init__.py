"""Predecessors of a state, walks back through all ancestors, cycles, and improving a deal."""
