import { splitWords } from '../../language/normalize-text'
import { clip } from './clip'
import type { Unit } from './outline'
import { findTermMatches, type PassageTerm } from './passage-terms'

/** The part of a fragment that a result shows. */
export interface Passage {
  /** Sentences or rows of the fragment; an ellipsis replaces the rest of a sentence that is too long. */
  text: string
  /** Ranges of `text` that match the query, in order, without overlaps. Offsets are in UTF-16 code units. */
  highlights: [start: number, end: number][]
}

/** Characters, except that a table has its header and at least one row. */
const maxPassageLength = 450
/** Weight of the sentence with the most terms, so that terms that are close together outweigh those that are not. */
const densityWeight = 0.5
/** Weight of the share of a sentence's words that are terms: a line such as "Night stay: 38 €" is about nothing else. */
const shareWeight = 0.1
/** A row with a smaller share of what the best row matches is left out. */
const minRowShare = 0.75
/** A passage of this length does not go on with the next section; a longer start of a section is left out. */
const enoughLength = 160

/** Units that contain the terms. */
interface Core {
  first: number
  /** The one with the most terms. */
  densest: number
  last: number
}

interface Window extends Core {
  score: number
}

/** How much of each term a unit contains, multiplied by the weight of the term. */
type Coverage = number[]

/**
 * The passage of a text in which the terms occur most densely. Null if no term occurs. `units` is the outline of the text.
 */
export function findPassage(text: string, units: Unit[], terms: PassageTerm[]): Passage | null {
  const covered = units.map(({ start, end }) => coverageOf(text.slice(start, end), terms))
  const totals = covered.map(sum)
  const shares = units.map((unit, n) => shareOf(text, unit, covered[n] ?? []))
  let best: Window | null = null
  for (let first = 0; first < units.length; first++) {
    if ((totals[first] ?? 0) === 0) continue
    const end = lastWithin(units, first)
    const union = unionOf(covered, first, end)
    const densest = indexOfMax(totals, first, end)
    const score = union + (densityWeight + shareWeight * (shares[densest] ?? 0)) * (totals[densest] ?? 0)
    // Of equal windows around one sentence, the one that starts nearest to it has more of what follows.
    if (best && (score < best.score || (score === best.score && densest > best.densest))) continue
    const last = covered.findIndex((_, n) => n >= densest && unionOf(covered, first, n) === union)
    best = { score, first, densest, last }
  }
  if (!best) return null
  const header = units[best.densest]?.header ?? null
  if (header !== null) return tablePassage(text, units, header, totals, terms)
  return passageAround(text, units, best, terms)
}

/** The passage around one unit, such as the sentence nearest in meaning, or the first one. */
export function passageAt(text: string, units: Unit[], position: number, terms: PassageTerm[]): Passage {
  const header = units[position]?.header ?? null
  if (header === null) return passageAround(text, units, { first: position, densest: position, last: position }, terms)
  const totals = units.map((_, n) => Number(n === position))
  return tablePassage(text, units, header, totals, terms)
}

function coverageOf(text: string, terms: PassageTerm[]): Coverage {
  const covered = terms.map(() => 0)
  for (const { term, similarity } of findTermMatches(text, terms))
    covered[term] = Math.max(covered[term] ?? 0, similarity * (terms[term]?.weight ?? 0))
  return covered
}

/** The share of the words of a unit that are terms. */
function shareOf(text: string, { start, end }: Unit, covered: Coverage): number {
  let matched = 0
  for (const coverage of covered) matched += Number(coverage > 0)
  return matched === 0 ? 0 : Math.min(1, matched / splitWords(text.slice(start, end)).length)
}

/** The terms that the units from `first` to `last` contain, each counted once. */
function unionOf(covered: Coverage[], first: number, last: number): number {
  let union = 0
  for (let term = 0; term < (covered[first]?.length ?? 0); term++) {
    let best = 0
    for (let n = first; n <= last; n++) best = Math.max(best, covered[n]?.[term] ?? 0)
    union += best
  }
  return union
}

/** The last unit that fits in a passage starting at `first`. */
function lastWithin(units: Unit[], first: number): number {
  const start = units[first]?.start ?? 0
  let last = first
  while ((units[last + 1]?.end ?? Number.POSITIVE_INFINITY) - start <= maxPassageLength) last++
  return last
}

/** The core with what its section says before it, if that is short, and as many following units as fit. Units before it fill what remains. */
function passageAround(
  text: string,
  units: Unit[],
  { first, densest, last: end }: Core,
  terms: PassageTerm[],
): Passage {
  let start = first
  let last = end
  const length = (from: number, to: number) => (units[to]?.end ?? 0) - (units[from]?.start ?? 0)
  const fits = (from: number, to: number) => from >= 0 && to < units.length && length(from, to) <= maxPassageLength
  const endsBefore = (next: number) => units[next]?.kind === 'heading' && length(start, next - 1) >= enoughLength
  if (length(densest, densest) > maxPassageLength) return clippedPassage(text, units[densest], terms)
  if (fits(0, units.length - 1)) return highlight(text.slice(units[0]?.start, units.at(-1)?.end), terms)
  const heading = units.findLastIndex(({ kind }, n) => n < first && kind === 'heading')
  if (heading >= 0 && length(heading, first - 1) <= enoughLength && fits(heading, last)) start = heading
  while (fits(start, last + 1) && !endsBefore(last + 1)) last++
  while (fits(start - 1, last) && length(start, last) < enoughLength) start--
  if (units[last]?.kind === 'heading' && last > end) last--
  return highlight(text.slice(units[start]?.start ?? 0, units[last]?.end ?? 0), terms)
}

/** The header of a table, and the rows with the most terms, in their order. */
function tablePassage(text: string, units: Unit[], header: number, totals: number[], terms: PassageTerm[]): Passage {
  const rows = units.flatMap((unit, n) => (unit.header === header && n !== header ? n : []))
  const most = Math.max(0, ...rows.map((n) => totals[n] ?? 0))
  const isMatch = (n: number) => most === 0 || (totals[n] ?? 0) >= minRowShare * most
  const byCoverage = rows
    .filter(isMatch)
    .sort((first, second) => (totals[second] ?? 0) - (totals[first] ?? 0) || first - second)
  const lengthOf = (n: number) => (units[n]?.end ?? 0) - (units[n]?.start ?? 0) + 1
  const chosen = [header]
  let length = lengthOf(header)
  for (const n of byCoverage) {
    if (chosen.length > 1 && length + lengthOf(n) > maxPassageLength) continue
    chosen.push(n)
    length += lengthOf(n)
  }
  const lines = chosen.sort((first, second) => first - second).map((n) => text.slice(units[n]?.start, units[n]?.end))
  return highlight(lines.map((line) => clip(line, terms, maxPassageLength)).join('\n'), terms)
}

function clippedPassage(text: string, unit: Unit | undefined, terms: PassageTerm[]): Passage {
  return highlight(clip(text.slice(unit?.start, unit?.end), terms, maxPassageLength), terms)
}

/** Marks the words that match, and joins adjacent ranges of unsegmented scripts. */
function highlight(text: string, terms: PassageTerm[]): Passage {
  const highlights: [number, number][] = []
  for (const { start, end, isHighlighted } of findTermMatches(text, terms)) {
    if (!isHighlighted) continue
    const last = highlights.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else highlights.push([start, end])
  }
  return { text, highlights }
}

function indexOfMax(values: number[], first: number, last: number): number {
  let best = first
  for (let n = first; n <= last; n++) if ((values[n] ?? 0) > (values[best] ?? 0)) best = n
  return best
}

function sum(values: number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
