"""Swift: the dearest steps, in C as well, compiled by setup.sh where there is a compiler.

The sources of each are in a folder of this name beside their twins in Python: clean/swift/ and
frontier/links/seen/swift/.
"""
