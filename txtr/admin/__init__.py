"""Looks at a crawl and gives it orders, whether it runs or not.

answers  what a state knows of itself, of a domain, of a URL, as facts with names
stopped  edge: a state that no queuekeeper works on is opened and changed
visitor  edge: orders to a queuekeeper that runs, and what came of them

`queue` is the command line on top of it; other tools join here.
"""
