"""Who plays: the table of kernels, the exact simulator over rings, the lanes, and the yardstick."""
