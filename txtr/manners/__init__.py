"""Manners: the rules that protect other people's servers. Words, known to every station."""
