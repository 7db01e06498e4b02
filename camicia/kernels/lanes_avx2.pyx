"""The lanes kernel with AVX2, 32 lanes. Imported only where AVX2 can run."""

include "lanes.pxi"
include "lanes_encode.pxi"
