"""The lanes kernel with AVX-512 F, BW and VL, 64 lanes. Imported only where those can run."""

include "lanes.pxi"
include "lanes_encode.pxi"
