import { createHash } from 'node:crypto'
import { termLevel } from '../html/blocks/blocks'
import { isBoxLabel } from '../html/blocks/box-labels'
import type { Block, Fragment, PageDocument } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'
import { embeddingText, headingSeparator } from './embedding-text'
import { isEmptyPassage, repeatsTitle } from './empty-passages'
import {
  createHeadingPath,
  type FittedHeading,
  fitHeadings,
  type Heading,
  maxPending,
  shorten,
  withHeadings,
} from './heading-path'
import { endsBeforePage, isPage } from './split/page-breaks'
import { endsAfterRow } from './split/row-breaks'
import { lastSentence } from './split/split-text'
import { fragmentLimits, memoizeCounts, type TextBlock, type TextUnit, type TokenRange, unitsOf } from './split/units'

/** A fragment that is being filled. */
interface Draft {
  lines: string[]
  /** Outermost first. */
  headings: FittedHeading[]
  /** The number of headings that apply to all of its text. */
  common: number
  innerHeadings: string[]
  anchor: string | null
  /** Anchor of its last text, if that is a page of a file. */
  page: string | null
  /** Tokens of the text so far, without title and headings. */
  cost: number
  target: number
  max: number
  /** Its last line, if that announces what follows, and the headings that apply to it. */
  lead: Lead | null
  /** Its section has ended: it accepts no more text, only headings without text. */
  isClosed: boolean
}

interface Lead {
  unit: TextUnit
  path: readonly Heading[]
}

interface ChunkedDocument {
  title: string
  language: string
  /** Outermost heading, for a part of a document. */
  part?: string
  /** Level of the outermost headings; detected on the way if omitted. */
  topLevel?: number
}

type UnnumberedFragment = Omit<Fragment, 'ordinal'>

export interface Chunker {
  /** Adds the next blocks of the document. Returns the fragments that are now complete. */
  push(blocks: readonly Block[]): Fragment[]
  /** Returns the remaining fragments. */
  end(): Fragment[]
}

/** Chunks a page as `createChunker` does. */
export function chunkDocument(
  { title, language, blocks, part }: Pick<PageDocument, 'title' | 'language' | 'blocks'> & { part?: string },
  model: Tokenizer,
): Fragment[] {
  const levels = blocks.map((block) => (block.kind === 'heading' ? block.level : termLevel))
  const topLevel = levels.reduce((lowest, level) => Math.min(lowest, level), termLevel)
  const chunker = createChunker({ title, language, part, topLevel }, model)
  return [...chunker.push(blocks), ...chunker.end()]
}

/**
 * Divides a document of any length into fragments of about 200 tokens, and at most the 254 that the model reads, including
 * title and headings. Blocks that fit are not divided. A fragment ends at an outermost heading and at the end of a page of a
 * file; from half of its target, at any heading. Headings that apply to the whole fragment are its path, the others are
 * lines of its text. A line that announces something goes with that. A heading without text goes to the end of its section
 * if it is the last one there, otherwise before the following text. A series of them that leaves too little room for text
 * becomes fragments of its own, as does a document of headings only. Equal passages of a document yield one fragment. A
 * passage that only repeats the title, with or without a label ('Title is: Lamps'), or says nothing ('Note', a copyright
 * line), yields none, unless it is all of the document.
 */
export function createChunker(document: ChunkedDocument, model: Tokenizer): Chunker {
  const tokenizer = memoizeCounts(model)
  const { targetTokens, maxTokens, contextTokens } = fragmentLimits(model)
  const title = shorten(document.title, contextTokens / 2, tokenizer)
  const headings = createHeadingPath(document.part)
  /** Half of each hash, the only state that grows with the document. */
  const seen = new Set<string>()
  let topLevel = document.topLevel ?? termLevel - 1
  let complete: Fragment[] = []
  /** The first passage that only repeats the title, or says nothing. */
  let empty: UnnumberedFragment | null = null
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
      const { pending } = headings
      // Terms at the end have no definition, but their words are indexed.
      const hasTerms = pending.some(({ level }) => level >= termLevel)
      if (hasTerms && costOf(leadingLines()) <= targetTokens - contextTokensHere()) draft = openDraft(0)
      else if (hasTerms || seen.size === 0 || (pending.length > 1 && costOf(pending) > maxTokens - targetTokens))
        placeAlone(pending)
      closeDraft()
      if (empty && seen.size === 0) addFragment(empty)
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
      if (draft && !draft.isClosed) placeLast()
      if (draft) draft.isClosed = true
      topLevel = heading.level
    }
    if (headings.pending.length === maxPending) placeAlone(headings.pending)
    headings.push(heading)
  }

  function pushText(block: TextBlock): void {
    const isStandalone = 'standalone' in block && block.standalone === true
    if (block.outsideTerms !== undefined) headings.leave(block.outsideTerms)
    makeRoom()
    if (isStandalone) closeDraft()
    for (const unit of unitsOf(block, roomAfterLead(), tokenizer, document.language)) add(unit)
    if (isStandalone) closeDraft()
  }

  /** Code after a line that announces it is divided rather than separated from it. */
  function roomAfterLead(): TokenRange {
    const { target, max } = roomHere()
    const lead = draft?.lead ? lastSentenceOf(draft.lead.unit).tokens : 0
    return { target, max: lead <= max / 2 ? max - lead : max }
  }

  /** Turns pending headings into fragments of their own if they leave too little room for text. */
  function makeRoom(): void {
    for (const heading of headings.pending.filter(isLongSignature)) {
      headings.take([heading])
      const { text, anchor } = heading
      for (const unit of unitsOf({ kind: 'code', text, anchor }, roomHere(), tokenizer, document.language)) add(unit)
    }
    const row = headings.pending.filter((heading) => !headings.path.includes(heading))
    if (row.length > 1 && costOf(leadingLines()) > maxLeadingTokens(contextTokensHere())) placeAlone(row)
  }

  function isLongSignature(heading: Heading): boolean {
    return heading.level >= termLevel && costOf([heading]) > maxLeadingTokens(contextTokensHere())
  }

  /** Room for text in a new fragment, after its context and leading lines. */
  function roomHere(): TokenRange {
    const context = contextTokensHere()
    const leading = Math.min(costOf(leadingLines()), maxLeadingTokens(context))
    return { target: Math.floor(targetTokens - context - leading), max: Math.floor(maxTokens - context - leading) }
  }

  function contextTokensHere(): number {
    return countContext(fitHeadings(headings.path, tokenizer, title, contextTokens))
  }

  function maxLeadingTokens(context: number): number {
    return (targetTokens - context) * 0.75
  }

  /** The pending headings that become lines before the next text. */
  function leadingLines(): Heading[] {
    const { path, pending } = headings
    return pending.filter((heading) => heading.level >= termLevel || !path.includes(heading))
  }

  function add(unit: TextUnit): void {
    const { pending } = headings
    const isFull = draft && !draft.isClosed && !hasRoom(draft, unit.tokens + costOf(pending), pending.length > 0)
    const lead = isFull ? takeLead(draft, unit) : null
    if (draft?.isClosed || isFull) closeDraft()
    addText(unit, lead)
  }

  /**
   * Removes the last line of a draft, or its last sentence, if it announces the text that does not fit, so that it goes with
   * that text. Null if it does not, if it is all of the draft, or if the two do not fit together. A term may be between them.
   */
  function takeLead(from: Draft | null, { tokens }: TextUnit): TextUnit | null {
    const { path, pending } = headings
    if (!from?.lead || pending.some(({ level }) => level < termLevel)) return null
    const above = path.filter((heading) => !pending.includes(heading))
    const isSameSection =
      above.length === from.lead.path.length && above.every((heading) => from.lead?.path.includes(heading))
    if (!isSameSection) return null
    const room = from.max - tokens - costOf(leadingLines())
    const { unit } = from.lead
    const lead = unit.tokens <= room ? unit : lastSentenceOf(unit)
    if (lead.tokens > room) return null
    if (lead !== unit) {
      from.lines.splice(-1, 1, unit.text.slice(0, -lead.text.length).trimEnd())
    } else if (!removeLast(from)) {
      return null
    }
    from.cost -= lead.tokens
    from.lead = null
    return lead
  }

  /** Removes the last line of a draft and the headings above it, which apply to what follows, unless nothing would be left. */
  function removeLast(from: Draft): boolean {
    const above = from.lines.slice(0, -1)
    const inner = new Set(headings.path.map(({ text }) => text))
    const last = above.findLastIndex(
      (line, index) => !inner.has(line) || from.headings.some(({ line }) => line > index),
    )
    if (last < 0) return false
    for (const heading of from.lines.splice(last + 1).slice(0, -1)) {
      from.innerHeadings.splice(from.innerHeadings.lastIndexOf(heading), 1)
      from.cost -= tokenizer.count(heading)
    }
    return true
  }

  function lastSentenceOf(unit: TextUnit): TextUnit {
    const sentence = lastSentence(unit.text, document.language)
    return sentence === unit.text ? unit : { ...unit, text: sentence, tokens: tokenizer.count(sentence) }
  }

  /** `lead` is a line that goes before the pending headings. */
  function addText(unit: TextUnit, lead: TextUnit | null = null): void {
    const { pending } = headings
    if (draft && endsBeforePage(draft, unit.anchor, pending.length > 0)) closeDraft()
    if (draft) {
      for (const heading of headings.take()) placeHeading(draft, heading)
      const shared = draft.headings.filter(({ heading }) => headings.path.includes(heading)).length
      draft.common = Math.min(draft.common, shared)
    } else {
      draft = openDraft(unit.tokens, lead)
    }
    if (draft.lines.length === 0) draft.anchor = unit.anchor ?? draft.anchor
    if (isPage(unit.anchor) && unit.anchor !== draft.page) {
      // The anchor is that of the larger part of the text.
      if (draft.page === null || unit.tokens > draft.cost) draft.anchor = unit.anchor
      draft.page = unit.anchor
    }
    draft.lines.push(unit.text)
    draft.cost += unit.tokens
    draft.lead = announces(unit) ? { unit, path: headings.path } : null
    if (endsAfterRow(unit, draft.cost, draft.target)) closeDraft()
  }

  /** `reserved` tokens are left for the text that follows the leading lines, of which `lead` is the first. */
  function openDraft(reserved: number, lead: TextUnit | null = null): Draft {
    const { path } = headings
    const pending = headings.take()
    const terms = pending.filter((heading) => heading.level >= termLevel)
    const context = path.filter((heading) => !terms.includes(heading) && heading.text !== document.title)
    const anchored = [...path].reverse().find((heading) => heading.anchor !== null)
    const anchor = (terms[0] ?? anchored)?.anchor ?? anchored?.anchor ?? null
    const opened = emptyDraft(fitHeadings(context, tokenizer, title, contextTokens), anchor)
    if (lead) {
      opened.lines.push(lead.text)
      opened.cost += lead.tokens
      opened.anchor = lead.anchor ?? opened.anchor
    }
    // Terms, and headings outside the path (siblings without text), become lines.
    for (const heading of pending) {
      for (const fitted of opened.headings) if (fitted.heading === heading) fitted.line = opened.lines.length
      if (terms.includes(heading) || !path.includes(heading)) placeHeading(opened, heading, reserved)
    }
    return opened
  }

  function emptyDraft(path: FittedHeading[], anchor: string | null): Draft {
    const context = countContext(path)
    const room = { cost: 0, target: targetTokens - context, max: maxTokens - context }
    const placed = { headings: path, common: path.length, innerHeadings: [], anchor, page: null, lead: null }
    return { lines: [], ...placed, ...room, isClosed: false }
  }

  /** Adds the headings after the last text to its fragment if they fit. */
  function placeLast(): void {
    if (!draft || draft.cost + costOf(headings.pending) > draft.max) return
    for (const heading of headings.take()) placeHeading(draft, heading)
  }

  /** Makes fragments of headings only. Omits those that repeat the title. */
  function placeAlone(row: readonly Heading[]): void {
    closeDraft()
    const { path, pending } = headings
    const first = pending.findIndex((heading) => row.includes(heading))
    const above = path.filter((heading) => pending.indexOf(heading) < first && heading.text !== document.title)
    for (const heading of headings.take(row)) {
      if (heading.text === document.title) continue
      if (draft && draft.cost + costOf([heading]) > draft.target) closeDraft()
      draft ??= emptyDraft(fitHeadings(above, tokenizer, title, contextTokens), heading.anchor)
      placeHeading(draft, heading)
    }
    if (draft) draft.isClosed = true
  }

  function placeHeading(into: Draft, heading: Heading, reserved = 0): void {
    const room = into.max - into.cost - reserved
    // A signature is complete where its definition begins.
    const text = shorten(heading.text, heading.level >= termLevel ? room : Math.min(room, into.target / 2), tokenizer)
    if (!text) return
    into.lines.push(text)
    into.innerHeadings.push(text)
    into.lead = null
    into.cost += tokenizer.count(text)
  }

  function closeDraft(): void {
    const closed = draft
    draft = null
    if (!closed || closed.lines.length === 0) return
    const { common, anchor } = closed
    // Headings that apply to a part of the fragment become lines of its text.
    const sections = closed.headings.slice(common)
    const text = withHeadings(closed.lines, sections).join('\n')
    const innerHeadings = withHeadings(closed.innerHeadings, sections)
    const path = closed.headings.slice(0, common)
    const headings = path.map((heading) => heading.text)
    // Counts of lines add up, because tokens do not cross line ends.
    const tokens = countContext(path) + closed.cost + costOf(sections)
    const hash = createHash('sha256')
      .update([title, ...headings, '', text].join('\n'))
      .digest('hex')
    const fragment = { title, headings, innerHeadings, anchor, text, tokens, language: document.language, hash }
    const isPart = document.part !== undefined
    if (repeatsTitle(text, document.title) || (!isPart && isEmptyPassage(text))) empty ??= fragment
    else if (!isEmptyPassage(text)) addFragment(fragment)
  }

  function addFragment(fragment: UnnumberedFragment): void {
    const half = Buffer.from(fragment.hash, 'hex').toString('latin1', 0, 16)
    if (!seen.has(half)) complete.push({ ordinal: seen.size, ...fragment })
    seen.add(half)
  }

  function countContext(path: readonly FittedHeading[]): number {
    const headings = path.map(({ text }) => text).join(headingSeparator)
    return tokenizer.count(embeddingText({ title, headings, text: '' }))
  }

  function costOf(headings: readonly { text: string }[]): number {
    return headings.reduce((sum, heading) => sum + tokenizer.count(heading.text), 0)
  }
}

/** Whether a text introduces what follows it. */
function announces({ text }: TextUnit): boolean {
  return /[:：]\s*$/.test(text) || isBoxLabel(text)
}

/**
 * Whether a draft accepts a text: up to its target, or up to the maximum while it is less than a quarter full, or ends with
 * a line that announces the text. A draft that is half full does not accept a new section.
 */
function hasRoom(draft: Draft, cost: number, startsSection: boolean): boolean {
  if (startsSection && draft.cost >= draft.target / 2) return false
  if (draft.cost + cost <= draft.target) return true
  return (draft.lead !== null || draft.cost < draft.target / 4) && draft.cost + cost <= draft.max
}
