import { crawlLimits } from '../limits'
import type { PageDocument } from '../ports/extractor'
import { blocksOf } from './blocks/blocks'
import { revealDisclosures } from './blocks/disclosures'
import { contactsOf } from './contacts/contacts'
import { siteNameOf } from './contacts/site-name'
import { mayHideText, revealHiddenText, revealWrapper } from './content/hidden-text'
import { mainContent } from './content/main-content'
import { revealNoscript } from './content/noscript'
import { shortenOwnLinks } from './dom/link-targets'
import { type ParsedPage, parsePage } from './dom/parse'
import { includedElements, removeExcluded, type Selectors, testedAttributes } from './dom/selectors'
import { isStreamed, placeStreamedContent, withoutFallbacks } from './dom/streamed-content'
import { forwardOf } from './interstitials/forward'
import { detectInterstitial } from './interstitials/interstitials'
import { feedsOf, languagesOf, linksOf } from './links'
import { baseOf, factsOf } from './metadata'
import { dividePageTitle } from './page-title'
import { parentNameOf } from './parent-page'
import { markReplies } from './publication/replies'
import { jsonLdOf } from './structured-data/embedded-json'
import { embeddedText } from './structured-data/embedded-text'
import { structuredDataBlocks } from './structured-data/structured-data-blocks'

const noSelectors: Selectors = { include: [], exclude: [] }

/**
 * Extracts a page: its metadata, its content as blocks in document order, and its links. `url` is the address after
 * redirects; `selectors` are those of the source. Pure and synchronous. A hostile page can take long, so the product
 * runs this in a worker thread.
 */
export function extractPage(html: string, url: string, selectors: Selectors = noSelectors): PageDocument {
  const page = parseAsShown(html, testedAttributes(selectors))
  const base = baseOf(page, url)
  const jsonLd = jsonLdOf(page.scripts)
  const facts = factsOf(page, url, base, jsonLd)
  const links = linksOf(page, { url, base }, crawlLimits.linksPerPage)
  shortenOwnLinks(page.links, url)
  removeExcluded(page, selectors)
  revealWrapper(page)
  revealNoscript(page)
  revealDisclosures(page)
  if (mayHideText(html)) revealHiddenText(page)
  const isThread = markReplies(page, jsonLd, url, facts.language)
  const included = includedElements(page, selectors).flatMap((element) => blocksOf(element))
  const {
    blocks: own,
    around,
    isLinkList,
  } = included.length > 0
    ? { blocks: included, around: [], isLinkList: false }
    : mainContent(page, { ...facts, isThread }, jsonLd)
  const interstitial = detectInterstitial(page, own, facts.title)
  const hasNoText = interstitial === 'script' || (interstitial === null && own.length === 0)
  const names = { title: facts.title, addresses: [url, facts.canonical] }
  const embedded = hasNoText ? embeddedText(page, jsonLd, names) : null
  const found = embedded?.blocks ?? [...own, ...(included.length > 0 ? [] : structuredDataBlocks(jsonLd, own, names))]
  const declaredName = siteNameOf(page, url, facts.title, jsonLd)
  const { title, siteName, blocks } = dividePageTitle({ title: facts.title, siteName: declaredName, blocks: found })
  const { contacts, others } = contactsOf(page, jsonLd, { own: blocks, around, language: facts.language })
  // A front page without a text of its own is how to reach the site.
  const isEmptyFrontPage = blocks.length === 0 && interstitial === null && new URL(url).pathname === '/'
  return {
    ...facts,
    title,
    interstitial: embedded ? null : interstitial,
    forward: forwardOf(page, blocks, { title: facts.title, url, base }),
    textFrom: embedded?.textFrom ?? 'page',
    isLinkList: isFrameset(page) || (isLinkList && embedded === null && new URL(url).pathname !== '/'),
    blocks: isEmptyFrontPage ? contacts : blocks,
    around: embedded ? [] : others,
    contacts: included.length > 0 || isEmptyFrontPage ? [] : contacts,
    siteName,
    parent: parentNameOf(page, jsonLd, { url, base, title: facts.title }),
    links,
    feeds: feedsOf(page, base),
    languages: languagesOf(page, base, crawlLimits.linksPerPage / 10),
  }
}

/** Whether a page only divides the window among other pages. */
function isFrameset({ frames }: ParsedPage): boolean {
  return frames.some(({ name }) => name === 'frame')
}

/** Parses a page, and puts streamed content into its place, as its script would. */
function parseAsShown(html: string, attributes: readonly string[]): ParsedPage {
  if (!isStreamed(html)) return parsePage(html, attributes)
  const page = parsePage(withoutFallbacks(html), attributes)
  placeStreamedContent(page)
  return page
}
