"""PROGRAM: the queuekeeper owns the frontier and answers harvesters."""
