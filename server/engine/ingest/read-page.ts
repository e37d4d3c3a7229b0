import { createHash } from 'node:crypto'
import type { ReasonCode } from '../../../contract/reasons'
import { decodeHtml } from '../charset/decode-html'
import { chunkSinglePage, chunkWithoutBoilerplate, packBlocks } from '../chunking/page-blocks'
import { linkExclusion, normalizeAddress } from '../crawl/urls/urls'
import { extractPage } from '../html/extract-page'
import { publicationLine } from '../html/publication/publication-line'
import { detectLanguage, proseTexts } from '../language/detect-language'
import { crawlLimits } from '../limits'
import type { ExtractedPage, ExtractionRequest, PageDocument } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'

/** Decodes, extracts and chunks a page. Synchronous, and slow for large pages, so the product runs it in a thread. */
export function readPage(request: ExtractionRequest, tokenizer: Tokenizer): ExtractedPage {
  const { url, body, contentType, headerLanguage, fallbackLanguage, linkSite, selectors, boilerplate } = request
  const { blocks, around, contacts, siteName, parent, links, feeds, languages, ...facts } = extractPage(
    decodeHtml(body, contentType),
    url,
    selectors,
  )
  const language = facts.language || headerLanguage || detectLanguage(proseTexts(blocks)) || fallbackLanguage || ''
  const document = { ...facts, siteName, language }
  const text = blocks.map((block) => block.text).join('\n')
  const publication = publicationLine(document)
  const page = { title: document.title, language, blocks, around, contacts, siteName, parent, publication }
  const followsLinks = linkSite !== null && !document.nofollow
  return {
    document,
    fragments: boilerplate ? chunkWithoutBoilerplate(page, boilerplate, tokenizer) : chunkSinglePage(page, tokenizer),
    pageBlocks: packBlocks(page),
    textHash: createHash('sha256').update(text).digest('hex'),
    feeds,
    languages: new Map([...languages].flatMap(([link, tag]) => normalizeEntry(link, tag))),
    ...(followsLinks ? sortLinks({ links, feeds }, url, linkSite) : { links: [], excludedLinks: [] }),
  }
}

function normalizeEntry(link: string, tag: string): [string, string][] {
  const url = normalizeAddress(link)
  return url === null ? [] : [[url, tag]]
}

/** Links to follow, and links that are excluded, those to other sites last. */
function sortLinks(
  { links, feeds }: Pick<PageDocument, 'links' | 'feeds'>,
  page: string,
  site: string,
): Pick<ExtractedPage, 'links' | 'excludedLinks'> {
  const feedUrls = new Set(feeds.map((feed) => normalizeAddress(feed)))
  const followed = new Set<string>()
  const excluded = new Map<string, ReasonCode>()
  for (const link of links) {
    const url = normalizeAddress(link)
    if (url === null || url === page) continue
    const reason = linkExclusion(url, site)
    // A feed is not a page, but lists pages.
    if (reason === null || (reason === 'not-html' && feedUrls.has(url))) followed.add(url)
    else excluded.set(url, reason)
  }
  const all = [...excluded].map(([url, reason]) => ({ url, reason }))
  const own = all.filter(({ reason }) => reason !== 'other-host')
  const foreign = all.filter(({ reason }) => reason === 'other-host')
  return { links: [...followed], excludedLinks: [...own, ...foreign].slice(0, crawlLimits.excludedLinksPerPage) }
}
