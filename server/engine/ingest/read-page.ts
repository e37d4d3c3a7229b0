import { createHash } from 'node:crypto'
import type { ReasonCode } from '../../../contract/reasons'
import { decodeHtml } from '../charset/decode-html'
import { cutPage, keepBlocks } from '../chunking/boilerplate'
import { chunkDocument } from '../chunking/chunk'
import { normalizeAddress, refusalOfLink } from '../crawl/urls/urls'
import { extractPage } from '../html/extract-page'
import { detectLanguage, proseTexts } from '../language/detect-language'
import { crawlLimits } from '../limits'
import type { ExtractedPage, PageDocument, PageToRead, Tokenizer } from '../ports'

/** Decodes, extracts and cuts a page. Pure and synchronous; a large page takes long, so the product runs it in a thread. */
export function readPage(
  { url, body, contentType, language: given, toldLanguage, followWithin, selectors, share }: PageToRead,
  tokenizer: Tokenizer,
): ExtractedPage {
  const { blocks, around, links, feeds, languages, ...said } = extractPage(
    decodeHtml(body, contentType),
    url,
    selectors,
  )
  const language = said.language || given || detectLanguage(proseTexts(blocks)) || toldLanguage || ''
  const document = { ...said, language }
  const text = blocks.map((block) => block.text).join('\n')
  const page = { title: document.title, language: document.language, blocks, around }
  const isWanted = followWithin !== null && !document.nofollow
  return {
    document,
    fragments: share ? cutPage(page, share, tokenizer) : chunkDocument(page, tokenizer),
    kept: keepBlocks(page),
    textHash: createHash('sha256').update(text).digest('hex'),
    feeds,
    languages: new Map([...languages].flatMap(([link, tag]) => normalized(link, tag))),
    ...(isWanted ? sortLinks({ links, feeds }, url, followWithin) : { links: [], left: [] }),
  }
}

function normalized(link: string, tag: string): [string, string][] {
  const address = normalizeAddress(link)
  return address === null ? [] : [[address, tag]]
}

/** Links of a page that may be followed, and those that may not; what leads to other sites is told last. */
function sortLinks(
  { links, feeds }: Pick<PageDocument, 'links' | 'feeds'>,
  page: string,
  site: string,
): Pick<ExtractedPage, 'links' | 'left'> {
  const named = new Set(feeds.map((feed) => normalizeAddress(feed)))
  const followed = new Set<string>()
  const left = new Map<string, ReasonCode>()
  for (const link of links) {
    const address = normalizeAddress(link)
    if (address === null || address === page) continue
    const reason = refusalOfLink(address, site)
    // A feed is no page, but lists some.
    if (reason === null || (reason === 'not-html' && named.has(address))) followed.add(address)
    else left.set(address, reason)
  }
  const told = [...left].map(([address, reason]) => ({ address, reason }))
  const inside = told.filter(({ reason }) => reason !== 'other-host')
  const outside = told.filter(({ reason }) => reason === 'other-host')
  return { links: [...followed], left: [...inside, ...outside].slice(0, crawlLimits.leftPerPage) }
}
