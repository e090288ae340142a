"""The robots that bench/crawl.py compares ours with. Run by the interpreter that has their packages:

    python bench/peers.py trafilatura|strip|fetch LIST OUT

trafilatura   Scrapy follows links and obeys robots.txt, trafilatura finds the main text
strip         Scrapy again; the text is whatever lxml leaves when tags, scripts and styles are stripped
fetch         aiohttp fetches the addresses in LIST and throws them away: the ceiling

For the first two LIST holds start addresses, and hosts that are not in it are not visited.
"""

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit

AT_ONCE = 64  # requests under way, in all
AT_ONE_HOST = 4

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": AT_ONCE,
    "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONE_HOST,
    "DOWNLOAD_DELAY": 0,
    "RANDOMIZE_DOWNLOAD_DELAY": False,
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "DUPEFILTER_CLASS": "scrapy.dupefilters.RFPDupeFilter",
}


def stripped(response):
    from lxml import etree

    root = response.selector.root  # parsed once, for the links and for the text
    etree.strip_elements(root, "script", "style", etree.Comment, with_tail=False)
    return " ".join("".join(root.itertext()).split())


def main_text(response):
    import trafilatura

    return trafilatura.extract(response.text, url=response.url, include_comments=True) or ""


def scrapy_robot(extract, starts, out):
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    hosts = sorted({urlsplit(url).hostname for url in starts})
    links = LinkExtractor(allow=r"^http://127\.80\.")  # the cheapest way to refuse the others

    class Robot(scrapy.Spider):
        name = "robot"
        allowed_domains = hosts
        start_urls = starts

        def parse(self, response):
            found = links.extract_links(response)
            out.write(f"\x1e{response.url}\n{extract(response)}\n\n")
            for link in found:
                yield scrapy.Request(link.url)

    process = CrawlerProcess(SETTINGS)
    process.crawl(Robot)
    process.start()


async def fetch(urls):
    import aiohttp

    waiting = iter(urls)
    connector = aiohttp.TCPConnector(limit=AT_ONCE, limit_per_host=AT_ONE_HOST)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one_after_another():
            for url in waiting:
                async with session.get(url) as response:
                    await response.read()

        await asyncio.gather(*(one_after_another() for _ in range(AT_ONCE)))


def main(argv):
    what, listed, target = argv
    urls = Path(listed).read_text().split()
    if what == "fetch":
        asyncio.run(fetch(urls))
        return
    with Path(target).open("w", encoding="utf-8", errors="replace") as out:
        scrapy_robot({"trafilatura": main_text, "strip": stripped}[what], urls, out)


if __name__ == "__main__":
    main(sys.argv[1:])
