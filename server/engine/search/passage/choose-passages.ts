import { headingSeparator } from '../../chunking/embedding-text'
import type { Tokenizer } from '../../ports/search-index'
import type { TermForm } from '../ranking/term-coverage'
import { outlineOf, type Unit } from './outline'
import { findPassage, type Passage, passageAt } from './passage'
import { type PassageTerm, passageTerms } from './passage-terms'

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

/** Embeds a sentence as a query, which does not wait for the passages that are being indexed. */
type EmbedSentence = (text: string) => Promise<Float32Array>

/** Embedding a sentence takes some milliseconds. */
const maxEmbeddedSentences = 24
const maxSentencesPerFragment = 12
/** Shorter sentences, such as the label of a field, say too little. */
const minSentenceLength = 15

/**
 * The passage of each fragment that answers the query: where its words occur most densely; without any of them, around the
 * sentence nearest in meaning. Only the sentences of the first such fragments are embedded; for the others, and without an
 * embedder, it is the start of the text. Rejects if the embedder does.
 */
export async function choosePassages(
  sources: PassageSource[],
  { forms, vector }: PassageQuery,
  tokenizer: Pick<Tokenizer, 'count'>,
  embed: EmbedSentence | null,
): Promise<Passage[]> {
  const terms = passageTerms(forms, tokenizer)
  let remaining = maxEmbeddedSentences
  return Promise.all(
    sources.map(({ text, innerHeadings, language }) => {
      const units = outlineOf(text, language, innerHeadings === '' ? [] : innerHeadings.split(headingSeparator))
      const found = findPassage(text, units, terms)
      if (found) return found
      const sentences = sentencesOf(text, units).slice(0, Math.min(remaining, maxSentencesPerFragment))
      const isWorthwhile = vector && embed && sentences.length > 1
      if (!isWorthwhile) return passageAt(text, units, 0, terms)
      remaining -= sentences.length
      return nearestPassage(text, units, sentences, vector, embed, terms)
    }),
  )
}

/** Indexes of the units that are long enough to have a meaning. */
function sentencesOf(text: string, units: Unit[]): number[] {
  const isLong = ({ start, end }: Unit) => text.slice(start, end).length >= minSentenceLength
  return units.flatMap((unit, n) => (unit.kind !== 'heading' && isLong(unit) ? n : []))
}

async function nearestPassage(
  text: string,
  units: Unit[],
  sentences: number[],
  query: Float32Array,
  embed: EmbedSentence,
  terms: PassageTerm[],
): Promise<Passage> {
  const vectors = await Promise.all(sentences.map((n) => embed(text.slice(units[n]?.start, units[n]?.end))))
  const cosines = vectors.map((vector) => vector.reduce((sum, value, n) => sum + value * (query[n] ?? 0), 0))
  const nearest = sentences[cosines.indexOf(Math.max(...cosines))] ?? 0
  return passageAt(text, units, nearest, terms)
}
