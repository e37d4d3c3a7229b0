import { headingSeparator } from '../../chunking/embedding-text'
import type { SearchedForm } from '../ranking/relevance'
import { outlineOf } from './outline'
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

/**
 * The passage of each fragment that answers the query: where its words occur most densely; without any of them, the start
 * of the text. `forms` are the query words as they were searched. Sentences are not embedded, which takes milliseconds
 * and chooses no better.
 */
export function choosePassages(sources: PassageSource[], forms: SearchedForm[]): Passage[] {
  const terms = passageTerms(forms)
  return sources.map(({ text, innerHeadings, language }) => {
    const units = outlineOf(text, language, innerHeadings === '' ? [] : innerHeadings.split(headingSeparator))
    return findPassage(text, units, terms) ?? passageAt(text, units, 0, terms)
  })
}
