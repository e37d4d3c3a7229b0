import { createHash } from 'node:crypto'
import { chunkDocument } from './chunk'
import { normalizeAddress, refusalOfLink } from './crawl/urls'
import { decodeHtml } from './extract/charset'
import { extractPage } from './extract/page'
import type { ExtractedPage, PageToRead, Tokenizer } from './ports'

/** Decodes, extracts and cuts a page. Pure and synchronous; a large page takes long, so the product runs it in a thread. */
export function readPage({ url, body, contentType, followWithin }: PageToRead, tokenizer: Tokenizer): ExtractedPage {
  const { blocks, links, ...document } = extractPage(decodeHtml(body, contentType), url)
  const text = blocks.map((block) => block.text).join('\n')
  return {
    document,
    fragments: chunkDocument({ ...document, blocks }, tokenizer),
    textHash: createHash('sha256').update(text).digest('hex'),
    links: followWithin === null || document.nofollow ? [] : linksWithin(links, url, followWithin),
  }
}

function linksWithin(links: string[], page: string, site: string): string[] {
  const followed = new Set<string>()
  for (const link of links) {
    const address = normalizeAddress(link)
    if (address !== null && address !== page && refusalOfLink(address, site) === null) followed.add(address)
  }
  return [...followed]
}
