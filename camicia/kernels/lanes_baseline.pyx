"""The lanes kernel with what every processor of the architecture has: SSE2 or NEON, 16 lanes."""

include "lanes.pxi"
include "lanes_encode.pxi"
