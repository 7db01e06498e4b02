# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The lanes kernel with what every processor of the architecture has: SSE2 or NEON, 16 lanes."""

include "lanes.pxi"
include "lanes_encode.pxi"
