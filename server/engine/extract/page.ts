import { crawlLimits } from '../limits'
import type { PageDocument } from '../ports'
import { carriedText } from './carried-text'
import { feedsOf, linksOf } from './links'
import { mainBlocks } from './main-content'
import { baseOf, factsOf, titleOf } from './metadata'
import { parsePage } from './parse'
import { standInOf } from './stand-in'

/**
 * Reads a page: what it says about itself, its main content as ordered blocks, and its links. `url` is the address it
 * was read from. Pure and synchronous; a hostile page can take long, so the product runs it in a thread.
 */
export function extractPage(html: string, url: string): PageDocument {
  const page = parsePage(html)
  const base = baseOf(page, url)
  const facts = factsOf(page, url, base)
  const own = mainBlocks(page, facts.title)
  const instead = standInOf(page, own, facts.title)
  const isHidden = instead === 'script' || (instead === null && own.length === 0)
  const carried = isHidden ? carriedText(page) : null
  const blocks = carried?.blocks ?? own
  return {
    ...facts,
    title: titleOf(facts.title, blocks),
    instead: carried ? null : instead,
    textFrom: carried?.textFrom ?? 'page',
    blocks,
    around: [],
    links: linksOf(page, base, crawlLimits.linksPerPage),
    feeds: feedsOf(page, base),
  }
}
