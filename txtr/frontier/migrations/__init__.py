"""Migrations: states of older versions are brought up to date, states of newer ones are left alone."""
