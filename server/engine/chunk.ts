import { createHash } from 'node:crypto'
import { termLevel } from './extract/blocks'
import { crawlLimits } from './limits'
import { headingSeparator, passageOf } from './passage'
import type { Block, Fragment, PageDocument, Tokenizer } from './ports'
import { splitText } from './split-text'

interface Heading {
  level: number
  text: string
  anchor: string | null
}

/** Characters; longer texts are hardly counted twice. */
const longestHeading = 300

interface Unit {
  text: string
  cost: number
  anchor: string | null
}

/** The fragment that is being filled. */
interface Draft {
  lines: string[]
  headings: string[]
  innerHeadings: string[]
  anchor: string | null
  /** Pieces of title and headings. */
  context: number
  /** Pieces of the text so far, and how many are aimed at and allowed beside the context. */
  cost: number
  aim: number
  most: number
}

/**
 * Cuts a page into fragments of about 200 word pieces, and never more than the 254 that the model reads, with title and
 * headings in front. Blocks stay whole where they fit; a fragment that is at least half full ends at a heading. A
 * heading without text goes with the text that follows. A passage that occurs twice is kept once.
 */
export function chunkDocument(document: Omit<PageDocument, 'links' | 'feeds'>, model: Tokenizer): Fragment[] {
  const tokenizer = remembering(model)
  const title = shorten(document.title, crawlLimits.fragment.contextPieces / 2, tokenizer)
  const fragments = new Map<string, Fragment>()
  let path: Heading[] = []
  /** Headings that wait for their first text. */
  let waiting: Heading[] = []
  let draft: Draft | null = null

  function openDraft(): Draft {
    const terms = waiting.filter((heading) => heading.level >= termLevel)
    const inForce = path.filter((heading) => !terms.includes(heading) && heading.text !== document.title)
    const headings = fitHeadings(inForce, tokenizer, title)
    const context = countContext(headings)
    const named = [...path].reverse().find((heading) => heading.anchor !== null)
    const opened: Draft = {
      lines: [],
      headings,
      innerHeadings: [],
      anchor: (terms[0] ?? named)?.anchor ?? named?.anchor ?? null,
      context,
      cost: 0,
      aim: crawlLimits.fragment.aimPieces - context,
      most: crawlLimits.fragment.maxPieces - context,
    }
    // What is no part of the path (a sibling without text) and every term stand in the text.
    for (const heading of waiting) {
      if (terms.includes(heading) || !path.includes(heading)) placeHeading(opened, heading)
    }
    waiting = []
    return opened
  }

  function placeHeading(into: Draft, heading: Heading): void {
    const text = shorten(heading.text, Math.min(into.most - into.cost, into.aim / 2), tokenizer)
    if (!text) return
    into.lines.push(text)
    into.innerHeadings.push(text)
    into.cost += tokenizer.count(text)
  }

  function closeDraft(): void {
    if (!draft || draft.lines.length === 0) return
    const { headings, innerHeadings, anchor } = draft
    // Pieces never cross the end of a line.
    const tokens = draft.context + draft.cost
    const text = draft.lines.join('\n')
    const hash = createHash('sha256')
      .update([title, ...headings, '', text].join('\n'))
      .digest('hex')
    const fragment = { title, headings, innerHeadings, anchor, text, hash, tokens, language: document.language }
    if (!fragments.has(hash)) fragments.set(hash, { ordinal: fragments.size, ...fragment })
    draft = null
  }

  function add(unit: Unit): void {
    const heads = waiting.reduce((sum, heading) => sum + tokenizer.count(heading.text), 0)
    if (draft && !hasRoom(draft, unit.cost + heads, waiting.length > 0)) closeDraft()
    if (draft) {
      for (const heading of waiting) placeHeading(draft, heading)
      waiting = []
    } else {
      draft = openDraft()
    }
    if (draft.lines.length === 0) draft.anchor = unit.anchor ?? draft.anchor
    draft.lines.push(unit.text)
    draft.cost += unit.cost
  }

  for (const block of document.blocks) {
    if (block.kind === 'heading') {
      path = [...path.filter((heading) => heading.level < block.level), block]
      waiting.push(block)
      continue
    }
    if (block.text === '') continue
    for (const unit of unitsOf(block, roomFor(path, waiting), tokenizer, document.language)) add(unit)
  }
  closeDraft()
  // Terms at the end have no definition; their words count all the same.
  if (waiting.some((heading) => heading.level >= termLevel)) {
    draft = openDraft()
    closeDraft()
  }
  return [...fragments.values()]

  function countContext(headings: string[]): number {
    return tokenizer.count(passageOf({ title, headings: headings.join(headingSeparator), text: '' }))
  }

  /** Pieces that a text may have where it stands now: with the context of a new fragment and the terms in front. */
  function roomFor(inForce: Heading[], before: Heading[]): { aim: number; most: number } {
    const headings = fitHeadings(inForce, tokenizer, title)
    const context = countContext(headings)
    const lines = before.filter((heading) => heading.level >= termLevel || !inForce.includes(heading))
    const { aimPieces, maxPieces } = crawlLimits.fragment
    const cost = lines.reduce((sum, heading) => sum + tokenizer.count(heading.text), 0)
    const inFront = Math.min(cost, (aimPieces - context) * 0.75)
    return { aim: Math.floor(aimPieces - context - inFront), most: Math.floor(maxPieces - context - inFront) }
  }
}

/** Titles and headings are counted for every block that they stand over. */
function remembering(tokenizer: Tokenizer): Tokenizer {
  const counts = new Map<string, number>()
  return {
    count(text) {
      if (text.length > longestHeading) return tokenizer.count(text)
      const known = counts.get(text)
      if (known !== undefined) return known
      const count = tokenizer.count(text)
      counts.set(text, count)
      return count
    },
  }
}

/** A draft takes what fits; one that is half full leaves a new section to the next, one that has little takes more. */
function hasRoom(draft: Draft, cost: number, startsSection: boolean): boolean {
  if (startsSection && draft.cost >= draft.aim / 2) return false
  if (draft.cost + cost <= draft.aim) return true
  return draft.cost < draft.aim / 4 && draft.cost + cost <= draft.most
}

/** A block as the pieces that can stand in a fragment. */
function unitsOf(
  block: Exclude<Block, { kind: 'heading' }>,
  room: { aim: number; most: number },
  tokenizer: Tokenizer,
  language: string,
): Unit[] {
  const cost = tokenizer.count(block.text)
  const whole = block.kind === 'code' ? room.most : room.aim
  if (cost <= whole) return [{ text: block.text, cost, anchor: block.anchor }]
  const [head = '', ...rows] = block.kind === 'table' ? block.text.split('\n') : []
  const headCost = tokenizer.count(head)
  // Each part of a long table starts with what its columns are called.
  const repeats = rows.length > 0 && headCost <= room.aim / 4
  const parts = repeats
    ? splitText({ text: rows.join('\n'), cost: cost - headCost }, room.aim - headCost, tokenizer, language)
    : splitText({ text: block.text, cost }, room.aim, tokenizer, language)
  return parts.map((part) => ({
    text: repeats ? `${head}\n${part.text}` : part.text,
    cost: repeats ? headCost + part.cost : part.cost,
    anchor: block.anchor,
  }))
}

/** As many headings as the context has room for; the innermost say most. */
function fitHeadings(path: Heading[], tokenizer: Tokenizer, title: string): string[] {
  let room = crawlLimits.fragment.contextPieces - tokenizer.count(title)
  const headings: string[] = []
  for (const { text } of [...path].reverse()) {
    const short = shorten(text, room - 1, tokenizer)
    if (!short) break
    headings.unshift(short)
    // One piece for the stroke between two headings.
    room -= tokenizer.count(short) + 1
    if (short !== text) break
  }
  return headings
}

/** The first words of a text that fit. */
function shorten(text: string, limit: number, tokenizer: Tokenizer): string {
  if (tokenizer.count(text) <= limit) return text
  const kept: string[] = []
  let room = limit
  for (const word of text.split(/\s+/)) {
    room -= tokenizer.count(word)
    if (room < 0) break
    kept.push(word)
  }
  return kept.join(' ')
}
