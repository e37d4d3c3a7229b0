import type { Block } from '../../ports'
import { createCollector } from './collector'
import { isRecord } from './is-record'
import { typesOf, walkDescribed } from './json-ld'

/** Things whose data often says what the page shows elsewhere, folded up, or not at all. */
const told = new Set(
  'faqpage question product productgroup recipe event businessevent educationevent musicevent sportsevent theaterevent exhibitionevent festival courseinstance'.split(
    ' ',
  ),
)
/** So much of a text, without spaces, tells whether the page has it already. */
const compared = 60
const deepest = 4

/**
 * What a page's structured data (JSON-LD) says of questions with answers, products, recipes and events, as far as `own`
 * does not say it.
 */
export function describedBlocks(described: unknown[], own: Block[]): Block[] {
  const things = described.flatMap((value) => thingsIn(value))
  if (things.length === 0) return []
  const collector = createCollector()
  for (const thing of things) walkDescribed(thing, collector)
  const shown = squeezed(own.map((block) => block.text).join('\n'))
  const isNew = (block: Block) => linesOf(block).some((line) => !shown.includes(squeezed(line).slice(0, compared)))
  const kept = collector.blocks.map((block) => (block.kind === 'heading' || isNew(block) ? block : null))
  // A heading stays where text of its own does.
  return kept.flatMap((block, at) =>
    block && (block.kind !== 'heading' || leads(kept, at, block.level)) ? [block] : [],
  )
}

/** Things stand in a list, in a graph, or as what the page is about: never deep. */
function thingsIn(value: unknown, depth = 0): Record<string, unknown>[] {
  if (depth > deepest) return []
  if (Array.isArray(value)) return value.slice(0, 1_000).flatMap((item) => thingsIn(item, depth + 1))
  if (!isRecord(value)) return []
  if (typesOf(value).some((type) => told.has(type))) return [value]
  return [value['@graph'], value.mainEntity].flatMap((inner) => thingsIn(inner, depth + 1))
}

/** Lists are compared line by line: pages mark their lines in their own way. */
function linesOf(block: Block): string[] {
  return block.kind === 'list' ? block.text.split('\n').map((line) => line.replace(/^- /, '')) : [block.text]
}

function squeezed(text: string): string {
  return text.toLowerCase().replace(/[\s\u00a0]+/g, '')
}

function leads(blocks: (Block | null)[], at: number, level: number): boolean {
  for (const block of blocks.slice(at + 1)) {
    if (block?.kind === 'heading' && block.level <= level) return false
    if (block && block.kind !== 'heading') return true
  }
  return false
}
