import { blocksOfText, countWords } from '../content/prose'
import { cleanText } from '../dom/text'
import { isRecord } from '../is-record'
import type { Collector } from './collector'
import { schemaOrgFacts } from './schema-org-facts'

/** Types about the site or its publisher rather than the page. */
const ignoredTypes = new Set(
  'organization corporation newsmediaorganization localbusiness website breadcrumblist sitenavigationelement imageobject person contactpoint postaladdress searchaction wpheader wpfooter wpsidebar review aggregaterating rating offer aggregateoffer comment'.split(
    ' ',
  ),
)
const textProperties = ['description', 'articleBody', 'reviewBody', 'text']
const listProperties = ['recipeIngredient', 'supply', 'tool', 'recipeInstructions', 'step']
const nestedProperties = [
  '@graph',
  'mainEntity',
  'mainEntityOfPage',
  'acceptedAnswer',
  'suggestedAnswer',
  'hasPart',
  'itemListElement',
  'item',
]

/** Collects the text of JSON-LD: articles, questions with answers, products, recipes, events, instructions. */
export function collectJsonLd(value: unknown, collector: Collector): void {
  if (Array.isArray(value)) {
    collector.nest(null, () => {
      for (const item of value) collectJsonLd(item, collector)
    })
  } else if (isRecord(value)) {
    if (typesOf(value).some((type) => ignoredTypes.has(type))) return
    collector.nest(headingIn(value), () => collectThing(value, collector))
  }
}

function collectThing(thing: Record<string, unknown>, collector: Collector): void {
  const candidates = textProperties.flatMap((name) => (typeof thing[name] === 'string' ? [thing[name]] : []))
  // A description is often just the start of the text.
  const distinct = candidates.filter(
    (text) => !candidates.some((candidate) => candidate !== text && candidate.startsWith(text.slice(0, 80))),
  )
  for (const text of distinct) if (countWords(text, 2) >= 2) collector.add(blocksOfText(text))
  const facts = schemaOrgFacts(thing).join('\n')
  if (facts) collector.add([{ kind: 'paragraph', text: facts, anchor: null }])
  for (const name of listProperties) addList(thing[name], collector)
  for (const name of nestedProperties) collectJsonLd(thing[name], collector)
}

/** Collects ingredients and steps: short texts become lines of a list, anything else is walked. */
function addList(value: unknown, collector: Collector): void {
  if (typeof value === 'string') collector.add(blocksOfText(value))
  const items = Array.isArray(value) ? value.slice(0, 1000) : []
  const lines = items.map((item) => cleanText(typeof item === 'string' ? item : plainStep(item)).replaceAll('\n', ' '))
  const text = lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n')
  if (text) collector.add([{ kind: 'list', text, anchor: null }])
  for (const item of items) if (isRecord(item) && plainStep(item) === '') collectJsonLd(item, collector)
}

function plainStep(item: unknown): string {
  if (!isRecord(item) || 'itemListElement' in item || 'step' in item) return ''
  const { name, text } = item
  return [name, text].filter((part, index, all) => typeof part === 'string' && all.indexOf(part) === index).join(': ')
}

function headingIn(thing: Record<string, unknown>): string | null {
  const name = [thing.headline, thing.name].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof name === 'string' ? cleanText(name).replaceAll('\n', ' ').slice(0, 200) : null
}

/** Returns the types of a thing in lower case. */
export function typesOf(thing: Record<string, unknown>): string[] {
  return [thing['@type']].flat().flatMap((type) => (typeof type === 'string' ? [type.toLowerCase()] : []))
}
