"""The links: every link that was let in, queued, leased or settled. One engine in memory, one on disk."""
