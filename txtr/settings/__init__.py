"""What the user writes becomes Options, and Options become what he reads; nothing is read or written here."""
