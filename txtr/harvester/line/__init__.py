"""The line: a harvester's connection to the queuekeeper."""
