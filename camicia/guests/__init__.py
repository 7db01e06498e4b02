"""Two games that are not Camicia but keep it company: War, and Crazy Eights on hands of fixed memory.

Nothing else in the package knows them; the commands `camicia war` and `camicia eights` play them.
"""
