"""Looks at a crawl and gives it orders, whether it runs or not.

crawl    edge: the interface, `Crawl`: how far it is, what it knows, orders
answers  what a state knows of itself, of a domain, of a URL, as facts with names
stopped  edge: a state that no queuekeeper works on is opened and changed
visitor  edge: orders to a queuekeeper that runs, and what came of them

`queue` is a command line on top of `Crawl`; `status` and `follow` of the launcher ask it how far the crawl
is. Other tools join here.
"""
