import { type PlacedBlock, termLevel } from '../blocks/blocks'

/** Links of an index; a page with fewer may be a short list of what there is to read. */
const minLinks = 30
/** Share of the letters that are links. */
const minLinkShare = 0.9
/** Words of a link on average: names and terms. Titles of articles and questions have more. */
const maxLinkWords = 3.1
/** Letters of a paragraph without links, which is worth reading. */
const minProse = 60

/**
 * Whether a text is an index: almost only links of a few words. A glossary has definitions, a shop has prices, a list of
 * articles has titles, and an overview has a sentence on what it lists.
 */
export function isLinkList(placed: Pick<PlacedBlock<unknown>, 'block' | 'links'>[]): boolean {
  const texts = placed.filter(({ block }) => block.kind !== 'heading' || block.level >= termLevel)
  let letters = 0
  let linked = 0
  let count = 0
  let words = 0
  for (const { block, links } of texts) {
    const own = lettersIn(block.text)
    if (own - links.all >= minProse && links.all < own / 2) return false
    letters += own
    linked += links.all
    count += links.count
    words += wordsIn(block.text)
  }
  return count >= minLinks && linked >= minLinkShare * letters && words <= maxLinkWords * count
}

/** Without bullets and separators. */
function lettersIn(text: string): number {
  return text.replace(/[\s,|•·-]+/g, '').length
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => lettersIn(word) > 0).length
}
