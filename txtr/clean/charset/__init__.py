"""Charset."""
