import type { Block } from '../../ports/extractor'
import { blocksOf } from '../blocks/blocks'
import { attributeOf, descendantsOf } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { type DividedBlocks, divideContacts } from './contact-blocks'
import { type ContactKind, contactLabels } from './contact-labels'
import { contactLinksOf } from './contact-links'
import { comparedDigits, contactKindsIn, digitsOf, telephoneNumbersIn } from './contact-patterns'
import { organizationContacts } from './organization-contacts'

/** Elements read for addresses. */
const maxAddresses = 50
const contactProperties = new Set(['address', 'telephone', 'email', 'openingHours', 'openingHoursSpecification'])

interface PageText {
  /** The content of the page. */
  own: Block[]
  /** The readable text around it. */
  around: Block[]
  language: string
}

/**
 * Finds how to reach the people of a site: telephone numbers, e-mail addresses, postal addresses and opening hours in the
 * text around the content, in links anywhere on the page, and in the structured data of organizations. Every fact has a
 * block of its own, so that it can be compared across pages. Returns the rest of the text around the content, too.
 */
export function contactsOf(page: ParsedPage, jsonLd: unknown[], { own, around, language }: PageText): DividedBlocks {
  const addresses = addressTextsOf(page)
  const { contacts: written, others } = divideContacts(around, ({ text }) => addresses.has(text))
  const labels = contactLabels(language)
  const contacts = written.map((block) => (block.kind === 'paragraph' ? withLabel(block, labels.telephone) : block))
  const known = createKnownFacts([...own, ...contacts])
  const add = (kind: ContactKind, value: string, label: string) => {
    if (!known.add(kind, value)) return
    contacts.push({ kind: 'paragraph', text: `${label || labels[kind]}: ${value}`, anchor: null })
  }
  for (const { kind, value, label } of contactLinksOf(page.links)) add(kind, value, label)
  const hasHours = contacts.some(({ text }, index) => contactKindsIn(text, contacts[index - 1]?.text).includes('hours'))
  for (const { kind, value } of organizationContacts(jsonLd, language)) {
    if (kind !== 'hours' || !hasHours) add(kind, value, '')
  }
  return { contacts, others }
}

/** Texts of the blocks in address elements, and in elements that microdata declares as contacts. */
function addressTextsOf(page: ParsedPage): Set<string> {
  const elements = descendantsOf(page.body).filter(
    (element) => element.name === 'address' || contactProperties.has(attributeOf(element, 'itemprop') ?? ''),
  )
  return new Set(elements.slice(0, maxAddresses).flatMap((element) => blocksOf(element).map(({ text }) => text)))
}

/** A number without a word next to it is not found by the word for telephone. */
function withLabel<T extends Block>(block: T, label: string): T {
  const hasWord = /\p{L}{3}/u.test(block.text.replace(/\S+@\S+/g, ''))
  return hasWord || telephoneNumbersIn(block.text).length === 0 ? block : { ...block, text: `${label}: ${block.text}` }
}

/** The facts that the text of a page contains. */
function createKnownFacts(blocks: Block[]) {
  const text = blocks.map((block) => block.text).join('\n')
  const added = new Set<string>()
  // Most pages have no fact to look up, and long ones take time to compare.
  let lines: string[] | null = null
  let letters: string | null = null

  function contains(kind: ContactKind, value: string): boolean {
    if (kind !== 'telephone') {
      letters ??= lettersOnly(text)
      return letters.includes(lettersOnly(value))
    }
    lines ??= text.split('\n').map(digitsOf)
    const digits = digitsOf(value).slice(-comparedDigits)
    return lines.some((line) => line.includes(digits))
  }

  return {
    /** Whether the fact is new. */
    add(kind: ContactKind, value: string): boolean {
      const key = kind === 'telephone' ? digitsOf(value).slice(-comparedDigits) : lettersOnly(value)
      if (key === '' || added.has(key) || contains(kind, value)) return false
      added.add(key)
      return true
    },
  }
}

function lettersOnly(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}@]+/gu, '')
}
