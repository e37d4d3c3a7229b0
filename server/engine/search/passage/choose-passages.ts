import { headingSeparator } from '../../chunking/embedding-text'
import type { Tokenizer } from '../../ports/search-index'
import type { TermForm } from '../ranking/term-coverage'
import { outlineOf, type Unit } from './outline'
import { findPassage, type Passage, passageAt } from './passage'
import { passageTerms } from './passage-terms'

/** The columns of a fragment that passages are chosen from. */
export interface PassageSource {
  text: string
  /** Headings within the text, joined by the separator of headings. */
  innerHeadings: string
  /** BCP 47, or '' if unknown. */
  language: string
}

export interface PassageQuery {
  /** Query words as they were searched, with their forms. */
  forms: TermForm[]
  /** The embedding of the query; null while there is none. */
  vector: Float32Array | null
}

/** Embeds a sentence as a query, which does not wait for the passages that are being indexed. Null if there is no time. */
type EmbedSentence = (text: string) => Promise<Float32Array> | null

/** Embedding a sentence takes some milliseconds. */
const maxEmbeddedSentences = 24
const maxSentencesPerFragment = 12
/** Shorter sentences, such as the label of a field, say too little. */
const minSentenceLength = 15

/**
 * The passage of each fragment that answers the query: where its words occur most densely; without any of them, around the
 * sentence nearest in meaning. Only the sentences of the first such fragments are embedded, while there is time; for the
 * others, and without an embedder, it is the start of the text. Rejects if the embedder does.
 */
export async function choosePassages(
  sources: PassageSource[],
  { forms, vector }: PassageQuery,
  tokenizer: Pick<Tokenizer, 'count'>,
  embed: EmbedSentence | null,
): Promise<Passage[]> {
  const terms = passageTerms(forms, tokenizer)
  const passages: Passage[] = []
  let remaining = maxEmbeddedSentences
  // One after another, so that the query of another search waits for one sentence at most.
  for (const { text, innerHeadings, language } of sources) {
    const units = outlineOf(text, language, innerHeadings === '' ? [] : innerHeadings.split(headingSeparator))
    const found = findPassage(text, units, terms)
    const sentences = found ? [] : sentencesOf(text, units).slice(0, Math.min(remaining, maxSentencesPerFragment))
    const isWorthwhile = vector && embed && sentences.length > 1
    const nearest = isWorthwhile ? await nearestUnit(text, units, sentences, vector, embed) : 0
    if (isWorthwhile) remaining -= sentences.length
    passages.push(found ?? passageAt(text, units, nearest, terms))
  }
  return passages
}

/** Indexes of the units that are long enough to have a meaning. */
function sentencesOf(text: string, units: Unit[]): number[] {
  const isLong = ({ start, end }: Unit) => text.slice(start, end).length >= minSentenceLength
  return units.flatMap((unit, n) => (unit.kind !== 'heading' && isLong(unit) ? n : []))
}

/** The index of the sentence with the highest cosine among those that there is time to embed; 0 without any. */
async function nearestUnit(
  text: string,
  units: Unit[],
  sentences: number[],
  query: Float32Array,
  embed: EmbedSentence,
): Promise<number> {
  let best = { at: 0, cosine: Number.NEGATIVE_INFINITY }
  for (const position of sentences) {
    const embedding = embed(text.slice(units[position]?.start, units[position]?.end))
    if (!embedding) break
    const vector = await embedding
    const cosine = vector.reduce((sum, value, n) => sum + value * (query[n] ?? 0), 0)
    if (cosine > best.cosine) best = { at: position, cosine }
  }
  return best.at
}
