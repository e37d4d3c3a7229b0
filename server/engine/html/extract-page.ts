import { crawlLimits } from '../limits'
import type { PageDocument } from '../ports'
import { blocksOf } from './blocks/blocks'
import { openDisclosures } from './blocks/disclosures'
import { mainContent } from './content/main-content'
import { parsePage } from './dom/parse'
import { attributesIn, chosenIn, type Selectors, takeOut } from './dom/selectors'
import { standInOf } from './interstitials/interstitials'
import { feedsOf, languagesOf, linksOf } from './links'
import { baseOf, factsOf, titleOf } from './metadata'
import { describedIn } from './structured-data/embedded-json'
import { carriedText } from './structured-data/embedded-text'
import { describedBlocks } from './structured-data/structured-data-blocks'

const none: Selectors = { include: [], exclude: [] }

/**
 * Reads a page: what it says about itself, its main content as ordered blocks, and its links. `url` is the address it
 * was read from, `selectors` what its owner says about the content. Pure and synchronous; a hostile page can take long, so the product runs it in a thread.
 */
export function extractPage(html: string, url: string, selectors: Selectors = none): PageDocument {
  const page = parsePage(html, attributesIn(selectors))
  const base = baseOf(page, url)
  const described = describedIn(page.scripts)
  const facts = factsOf(page, url, base, described)
  takeOut(page, selectors)
  openDisclosures(page)
  const chosen = chosenIn(page, selectors).flatMap((element) => blocksOf(element))
  const { blocks: own, around } =
    chosen.length > 0 ? { blocks: chosen, around: [] } : mainContent(page, facts, described)
  const instead = standInOf(page, own, facts.title)
  const isHidden = instead === 'script' || (instead === null && own.length === 0)
  const carried = isHidden ? carriedText(page, described) : null
  const blocks = carried?.blocks ?? [...own, ...(chosen.length > 0 ? [] : describedBlocks(described, own))]
  return {
    ...facts,
    title: titleOf(facts.title, blocks),
    instead: carried ? null : instead,
    textFrom: carried?.textFrom ?? 'page',
    blocks,
    around: carried ? [] : around,
    links: linksOf(page, base, crawlLimits.linksPerPage),
    feeds: feedsOf(page, base),
    languages: languagesOf(page, base, crawlLimits.linksPerPage / 10),
  }
}
