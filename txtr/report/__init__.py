"""The report: the diary, the counts, the summary, the yield."""
