"""The hunt for the longest games."""
