import type { Tokenizer } from '../../ports/search-index'
import { parseQuery } from '../query/parse-query'
import { searchedForms } from '../ranking/relevance'
import { outlineOf, type Unit } from './outline'
import type { Passage } from './passage'
import { findTermMatches, type PassageTerm, passageTerms } from './passage-terms'

/** Embeds a sentence; null if there is no time. */
type EmbedSentence = (text: string) => Promise<Float32Array> | null

/** Embedding a sentence takes some milliseconds. */
const maxEmbeddedSentences = 12
/** A sentence with a smaller share of what the answer says may have its words by chance. */
const minShare = 0.25
/** Characters of a neighboring sentence; a longer one is left out. */
const maxNeighborLength = 240

/**
 * The sentence or the row of a source on which an answer rests, as its highlight, with a sentence before and after it.
 * `claim` is what the answer says with its citation. Without common words, as in another language, it is the sentence
 * nearest in meaning; null without an embedder, too. Rejects if the embedder does.
 */
export async function citedPassage(
  text: string,
  claim: string,
  tokenizer: Tokenizer,
  embed: EmbedSentence | null,
): Promise<Passage | null> {
  const units = outlineOf(text, '', [])
  const terms = passageTerms(searchedForms(parseQuery(claim, tokenizer, []).words, new Map(), tokenizer))
  const node = bestByWords(text, units, terms) ?? (embed && (await bestByMeaning(text, units, claim, embed)))
  return node === null ? null : around(text, units, node)
}

/** The unit that contains most of the terms, by their weight; the shortest of equal ones. Null if none has enough. */
function bestByWords(text: string, units: Unit[], terms: PassageTerm[]): number | null {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  let best = { at: -1, score: minShare * total, length: 0 }
  units.forEach(({ start, end }, index) => {
    const covered = new Map<number, number>()
    for (const { term, similarity } of findTermMatches(text.slice(start, end), terms))
      covered.set(term, Math.max(covered.get(term) ?? 0, similarity))
    const score = [...covered].reduce((sum, [term, similarity]) => sum + similarity * (terms[term]?.weight ?? 0), 0)
    const length = end - start
    const isBetter = score > best.score || (score === best.score && best.at >= 0 && length < best.length)
    if (score > 0 && isBetter) best = { at: index, score, length }
  })
  return best.at < 0 ? null : best.at
}

async function bestByMeaning(text: string, units: Unit[], claim: string, embed: EmbedSentence): Promise<number | null> {
  const meant = await embed(claim)
  let best: { at: number; cosine: number } | null = null
  for (const [index, { start, end }] of units.slice(0, maxEmbeddedSentences).entries()) {
    const vector = meant && (await embed(text.slice(start, end)))
    if (!meant || !vector) break
    const cosine = vector.reduce((sum, value, n) => sum + value * (meant[n] ?? 0), 0)
    if (!best || cosine > best.cosine) best = { at: index, cosine }
  }
  return best?.at ?? null
}

/** A row has the names of the columns before it instead of another row. */
function around(text: string, units: Unit[], position: number): Passage {
  const unit = units[position]
  if (!unit) return { text: '', highlights: [] }
  const said = (item: Unit | undefined) => (item ? text.slice(item.start, item.end) : '')
  const isTable = unit.header !== null
  const before = isTable ? (unit.header === position ? undefined : units[unit.header ?? -1]) : units[position - 1]
  const after = isTable ? undefined : units[position + 1]
  const fits = (item: Unit | undefined) => item !== undefined && item.end - item.start <= maxNeighborLength
  const gap = (from: Unit, to: Unit) => (text.slice(from.end, to.start).includes('\n') ? '\n' : ' ')
  const head = before && fits(before) ? said(before) + (isTable ? '\n' : gap(before, unit)) : ''
  const tail = after && fits(after) ? gap(unit, after) + said(after) : ''
  return { text: head + said(unit) + tail, highlights: [[head.length, head.length + said(unit).length]] }
}
