"""The seen: how every link stands that was ever let in, by a digest of its path."""
