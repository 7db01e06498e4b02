"""Where deals come from: random shuffles, consecutive ranks, and the rank of a deal."""
