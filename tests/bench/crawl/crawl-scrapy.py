"""
One crawl of a site with Scrapy, as a plain project does it: links followed inside the host, items exported as JSON
lines. Called by crawl.ts, which passes a JSON object: url, items and report (files), concurrency, text, pages (0: all).
"""

import json
import resource
import sys
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

options = json.loads(sys.argv[1])


class SiteSpider(scrapy.Spider):
    name = "site"
    start_urls = [options["url"]]
    allowed_domains = [urlsplit(options["url"]).hostname]
    links = LinkExtractor(allow_domains=[urlsplit(options["url"]).netloc])

    def parse(self, response):
        if not isinstance(response, HtmlResponse):
            return
        item = {"url": response.url, "title": response.css("title::text").get()}
        if options["text"]:
            item["text"] = " ".join(response.css("body ::text").getall())
        yield item
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options["concurrency"],
        "CLOSESPIDER_ITEMCOUNT": options["pages"],
        "FEEDS": {options["items"]: {"format": "jsonlines", "encoding": "utf8"}},
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
)
crawler = process.create_crawler(SiteSpider)
process.crawl(crawler)
process.start()

stats = crawler.stats.get_stats()
used = resource.getrusage(resource.RUSAGE_SELF)
with open(options["report"], "w", encoding="utf8") as report:
    json.dump(
        {
            "pages": stats.get("item_scraped_count", 0),
            "seconds": stats["elapsed_time_seconds"],
            "cpuSeconds": used.ru_utime + used.ru_stime,
        },
        report,
    )
