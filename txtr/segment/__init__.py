"""Segment: how usable is this text?"""
