import { createHash } from 'node:crypto'
import { termLevel } from '../html/blocks/blocks'
import type { Block, Fragment, PageDocument, Tokenizer } from '../ports'
import { embeddingText, headingSeparator } from './embedding-text'
import {
  createHeadingPath,
  fitHeadings,
  type Heading,
  type HeadingOver,
  mostWaiting,
  shorten,
  withHeadings,
} from './heading-path'
import { endsBeforePage, isPage } from './page-breaks'
import { endsBehindRow } from './row-breaks'
import { fragmentLimits, memoizeCounts, type TextBlock, type TextUnit, type TokenRange, unitsOf } from './units'

/** The fragment that is being filled. */
interface Draft {
  lines: string[]
  /** Outermost first; so many of them stand over all of its text. */
  over: HeadingOver[]
  common: number
  innerHeadings: string[]
  anchor: string | null
  /** Of its last text, where that is a page of a file. */
  page: string | null
  /** Pieces of the text so far, and how many are aimed at and allowed beside title and headings. */
  cost: number
  aim: number
  most: number
  /** Its section has ended: it takes no more text, but still the headings at the end of the document. */
  isOver: boolean
}

interface ChunkedDocument {
  title: string
  language: string
  /** Heading over all of it, for a part of a document. */
  part?: string
  /** Level of its outermost headings; learned as they come where it is not known. */
  topLevel?: number
}

export interface Chunker {
  /** Takes the next blocks of the document. Returns the fragments that are complete by now. */
  push(blocks: readonly Block[]): Fragment[]
  /** The last fragments. */
  end(): Fragment[]
}

/** Cuts a page into fragments, as `createChunker` does. */
export function chunkDocument(
  { title, language, blocks, part }: Pick<PageDocument, 'title' | 'language' | 'blocks'> & { part?: string },
  model: Tokenizer,
): Fragment[] {
  const levels = blocks.map((block) => (block.kind === 'heading' ? block.level : termLevel))
  const topLevel = levels.reduce((least, level) => Math.min(least, level), termLevel)
  const chunker = createChunker({ title, language, part, topLevel }, model)
  return [...chunker.push(blocks), ...chunker.end()]
}

/**
 * Cuts a document of any length into fragments of about 200 word pieces, and never more than the 254 that the model
 * reads, with title and headings in front. Blocks stay whole where they fit; a fragment ends at a heading of the
 * outermost level and with a page, one that is at least half full at any heading. Headings that stand over all of a
 * fragment are its path, the others lines of its text. A heading without text stands at the end of its section where it is
 * the last of it, and otherwise in front of the text that follows; a row of them for which a fragment with text has no room
 * is cut by itself, as a document of headings alone is. A passage that occurs twice is kept once.
 */
export function createChunker(document: ChunkedDocument, model: Tokenizer): Chunker {
  const tokenizer = memoizeCounts(model)
  const { aimPieces, maxPieces, contextPieces } = fragmentLimits(model)
  const title = shorten(document.title, contextPieces / 2, tokenizer)
  const headings = createHeadingPath(document.part)
  /** Half of each hash: of an endless document nothing else is kept. */
  const seen = new Set<string>()
  let topLevel = document.topLevel ?? termLevel - 1
  let complete: Fragment[] = []
  let draft: Draft | null = null

  return {
    push(blocks) {
      for (const block of blocks) {
        if (block.kind === 'heading') pushHeading(block)
        else if (block.text !== '') pushText(block)
      }
      return takeComplete()
    },
    end() {
      placeLast()
      closeDraft()
      const { waiting } = headings
      // Terms at the end have no definition; their words count all the same.
      const hasTerms = waiting.some(({ level }) => level >= termLevel)
      if (hasTerms && costOf(linesInFront()) <= aimPieces - contextHere()) draft = openDraft(0)
      else if (hasTerms || seen.size === 0 || (waiting.length > 1 && costOf(waiting) > maxPieces - aimPieces))
        placeAlone(waiting)
      closeDraft()
      return takeComplete()
    },
  }

  function takeComplete(): Fragment[] {
    const taken = complete
    complete = []
    return taken
  }

  function pushHeading(heading: Heading): void {
    if (heading.level <= topLevel && heading.level < termLevel) {
      if (draft && !draft.isOver) placeLast()
      if (draft) draft.isOver = true
      topLevel = heading.level
    }
    if (headings.waiting.length === mostWaiting) placeAlone(headings.waiting)
    headings.push(heading)
  }

  function pushText(block: TextBlock): void {
    const isStandalone = 'standalone' in block && block.standalone === true
    makeRoom()
    if (isStandalone) closeDraft()
    for (const unit of unitsOf(block, roomHere(), tokenizer, document.language)) add(unit)
    if (isStandalone) closeDraft()
  }

  /** Cuts by themselves what headings without text are too many to stand in front of one. */
  function makeRoom(): void {
    const row = headings.waiting.filter((heading) => !headings.path.includes(heading))
    if (row.length > 1 && costOf(linesInFront()) > mostInFront(contextHere())) placeAlone(row)
  }

  /** Pieces that a text may have where it stands now: with the context of a new fragment and the terms in front. */
  function roomHere(): TokenRange {
    const context = contextHere()
    const inFront = Math.min(costOf(linesInFront()), mostInFront(context))
    return { target: Math.floor(aimPieces - context - inFront), max: Math.floor(maxPieces - context - inFront) }
  }

  function contextHere(): number {
    return countContext(fitHeadings(headings.path, tokenizer, title, contextPieces))
  }

  /** Pieces of a new fragment that headings in front of a text may take. */
  function mostInFront(context: number): number {
    return (aimPieces - context) * 0.75
  }

  /** What of the waiting headings is a line in front of the text that comes. */
  function linesInFront(): Heading[] {
    const { path, waiting } = headings
    return waiting.filter((heading) => heading.level >= termLevel || !path.includes(heading))
  }

  function add(unit: TextUnit): void {
    const { waiting } = headings
    if (draft && (draft.isOver || !hasRoom(draft, unit.tokens + costOf(waiting), waiting.length > 0))) closeDraft()
    if (draft && endsBeforePage(draft, unit.anchor, waiting.length > 0)) closeDraft()
    if (draft) {
      for (const heading of headings.take()) placeHeading(draft, heading)
      const still = draft.over.filter(({ heading }) => headings.path.includes(heading)).length
      draft.common = Math.min(draft.common, still)
    } else {
      draft = openDraft(unit.tokens)
    }
    if (draft.lines.length === 0) draft.anchor = unit.anchor ?? draft.anchor
    if (isPage(unit.anchor) && unit.anchor !== draft.page) {
      // What the page before has left, or headings without text, are less than what is opened.
      if (draft.page === null || unit.tokens > draft.cost) draft.anchor = unit.anchor
      draft.page = unit.anchor
    }
    draft.lines.push(unit.text)
    draft.cost += unit.tokens
    if (endsBehindRow(unit, draft.cost, draft.aim)) closeDraft()
  }

  /** `kept`: pieces for the text that follows, which the headings in front of it leave free. */
  function openDraft(kept: number): Draft {
    const { path } = headings
    const waiting = headings.take()
    const terms = waiting.filter((heading) => heading.level >= termLevel)
    const inForce = path.filter((heading) => !terms.includes(heading) && heading.text !== document.title)
    const named = [...path].reverse().find((heading) => heading.anchor !== null)
    const anchor = (terms[0] ?? named)?.anchor ?? named?.anchor ?? null
    const opened = emptyDraft(fitHeadings(inForce, tokenizer, title, contextPieces), anchor)
    // What is no part of the path (a sibling without text) and every term stand in the text.
    for (const heading of waiting) {
      for (const over of opened.over) if (over.heading === heading) over.line = opened.lines.length
      if (terms.includes(heading) || !path.includes(heading)) placeHeading(opened, heading, kept)
    }
    return opened
  }

  function emptyDraft(over: HeadingOver[], anchor: string | null): Draft {
    const context = countContext(over)
    const room = { cost: 0, aim: aimPieces - context, most: maxPieces - context }
    return { lines: [], over, common: over.length, innerHeadings: [], anchor, page: null, ...room, isOver: false }
  }

  /** Headings behind the last text go with it, if they fit. */
  function placeLast(): void {
    if (!draft || draft.cost + costOf(headings.waiting) > draft.most) return
    for (const heading of headings.take()) placeHeading(draft, heading)
  }

  /** Headings that are all that there is, or too many to stand beside a text, but for those that only repeat the title. */
  function placeAlone(row: readonly Heading[]): void {
    closeDraft()
    const { path, waiting } = headings
    const first = waiting.findIndex((heading) => row.includes(heading))
    const above = path.filter((heading) => waiting.indexOf(heading) < first && heading.text !== document.title)
    for (const heading of headings.take(row)) {
      if (heading.text === document.title) continue
      if (draft && draft.cost + costOf([heading]) > draft.aim) closeDraft()
      draft ??= emptyDraft(fitHeadings(above, tokenizer, title, contextPieces), heading.anchor)
      placeHeading(draft, heading)
    }
    if (draft) draft.isOver = true
  }

  function placeHeading(into: Draft, heading: Heading, kept = 0): void {
    const text = shorten(heading.text, Math.min(into.most - into.cost - kept, into.aim / 2), tokenizer)
    if (!text) return
    into.lines.push(text)
    into.innerHeadings.push(text)
    into.cost += tokenizer.count(text)
  }

  function closeDraft(): void {
    const closed = draft
    draft = null
    if (!closed || closed.lines.length === 0) return
    const { over, common, anchor } = closed
    // Those of one section among several belong to the text.
    const sections = over.slice(common)
    const text = withHeadings(closed.lines, sections).join('\n')
    const innerHeadings = withHeadings(closed.innerHeadings, sections)
    const headings = over.slice(0, common).map((one) => one.text)
    // Pieces never cross the end of a line.
    const tokens = countContext(over.slice(0, common)) + closed.cost + costOf(sections)
    const digest = createHash('sha256')
      .update([title, ...headings, '', text].join('\n'))
      .digest()
    const fragment = { title, headings, innerHeadings, anchor, text, tokens, language: document.language }
    const half = digest.toString('latin1', 0, 16)
    if (!seen.has(half)) complete.push({ ordinal: seen.size, ...fragment, hash: digest.toString('hex') })
    seen.add(half)
  }

  function countContext(over: readonly HeadingOver[]): number {
    const headings = over.map(({ text }) => text).join(headingSeparator)
    return tokenizer.count(embeddingText({ title, headings, text: '' }))
  }

  function costOf(headings: readonly { text: string }[]): number {
    return headings.reduce((sum, heading) => sum + tokenizer.count(heading.text), 0)
  }
}

/** A draft takes what fits; one that is half full leaves a new section to the next, one that has little takes more. */
function hasRoom(draft: Draft, cost: number, startsSection: boolean): boolean {
  if (startsSection && draft.cost >= draft.aim / 2) return false
  if (draft.cost + cost <= draft.aim) return true
  return draft.cost < draft.aim / 4 && draft.cost + cost <= draft.most
}
