"""Two other games: War, and Crazy Eights on hands of fixed memory.

Nothing else in the package depends on them; the commands `camicia war` and `camicia eights` play them.
"""
