"""The queue: requests that wait in the lanes of their domains."""
