import { lettersOf, type PageElement } from '../../dom/element'
import { textOf } from '../../dom/text'

/** Letters of an element that is searched. */
const maxLetters = 5_000
const price =
  /\p{Sc}\s?\d|\d\s?\p{Sc}|(?:EUR|USD|GBP|CHF|PLN|Fr\.|kr\.?)\s?\d|\d[.,](?:\d\d|[-–—]{1,2})\s?(?:EUR|USD|GBP|CHF|PLN|zł|kr|Kč|Ft|lei)(?!\p{L})/u

/** Whether an element of moderate size names a price. */
export function hasPrice(element: PageElement): boolean {
  return lettersOf(element) <= maxLetters && price.test(textOf(element))
}
