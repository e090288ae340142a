"""Verification: is a state what it should be?"""
