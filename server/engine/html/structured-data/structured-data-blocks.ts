import type { Block } from '../../ports/extractor'
import { isRecord } from '../is-record'
import { createCollector } from './collector'
import { collectJsonLd, typesOf } from './json-ld'
import { type PageSubject, subjectOf } from './page-subject'

/** Types whose data often has what the page folds up or does not show. */
const supplementaryTypes = new Set(
  'faqpage question product productgroup recipe event businessevent educationevent musicevent sportsevent theaterevent exhibitionevent festival courseinstance'.split(
    ' ',
  ),
)
/** Characters, without spaces, of a text that are looked up in the page. */
const comparedLength = 60
const maxDepth = 4

/** Types that are part of their page wherever they are. */
const pageTypes = new Set(['faqpage', 'question'])

/**
 * Returns what a page's JSON-LD adds on questions with answers, products, recipes and events, as far as `own`, the
 * blocks of the page, lacks it. Ignores things that the page is not about, such as the next event of a side bar.
 */
export function structuredDataBlocks(jsonLd: unknown[], own: Block[], { title, addresses }: PageNames): Block[] {
  const all = jsonLd.flatMap((value) => thingsIn(value))
  if (all.length === 0) return []
  const page = { addresses, text: [title, ...own.map((block) => block.text)].join('\n') }
  const things = all.filter((thing) => isAboutPage(thing, page, all.length === 1))
  const collector = createCollector()
  for (const thing of things) collectJsonLd(thing, collector)
  const pageText = withoutSpaces(own.map((block) => block.text).join('\n'))
  const isNew = (block: Block) =>
    linesOf(block).some((line) => !pageText.includes(withoutSpaces(line).slice(0, comparedLength)))
  const added = collector.blocks.map((block) => (block.kind === 'heading' || isNew(block) ? block : null))
  // A heading is kept if text below it is.
  return added.flatMap((block, index) =>
    block && (block.kind !== 'heading' || hasTextBelow(added, index, block.level)) ? [block] : [],
  )
}

interface PageNames extends Pick<PageSubject, 'addresses'> {
  title: string
}

/** A thing without name and address is the page's if it is the only one, except an event, which any page may announce. */
function isAboutPage(thing: Record<string, unknown>, page: PageSubject, isOnly: boolean): boolean {
  const types = typesOf(thing)
  if (types.some((type) => pageTypes.has(type))) return true
  const subject = subjectOf(thing, page)
  return subject === 'page' || (subject === null && isOnly && !types.some((type) => type.endsWith('event')))
}

/** Finds the things in arrays, in graphs and as the page's main entity, which are never deep. */
function thingsIn(value: unknown, depth = 0): Record<string, unknown>[] {
  if (depth > maxDepth) return []
  if (Array.isArray(value)) return value.slice(0, 1_000).flatMap((item) => thingsIn(item, depth + 1))
  if (!isRecord(value)) return []
  if (typesOf(value).some((type) => supplementaryTypes.has(type))) return [value]
  return [value['@graph'], value.mainEntity].flatMap((inner) => thingsIn(inner, depth + 1))
}

/** Lists are compared line by line, since pages number their lines differently. */
function linesOf(block: Block): string[] {
  return block.kind === 'list' ? block.text.split('\n').map((line) => line.replace(/^- /, '')) : [block.text]
}

function withoutSpaces(text: string): string {
  return text.toLowerCase().replace(/[\s\u00a0]+/g, '')
}

function hasTextBelow(blocks: (Block | null)[], index: number, level: number): boolean {
  for (const block of blocks.slice(index + 1)) {
    if (block?.kind === 'heading' && block.level <= level) return false
    if (block && block.kind !== 'heading') return true
  }
  return false
}
