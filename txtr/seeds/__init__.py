"""Where a crawl begins: the user's list of URLs becomes links.

startlist  the text of urls.txt, whole URLs separated by white space

Sitemaps will be the second module.
"""
