import { blocksOfText, wordsOf } from '../content/prose'
import { cleanText } from '../dom/text'
import type { Collector } from './collector'
import { isRecord } from './is-record'
import { thingFacts } from './schema-org-facts'

/** Say something about the site or its makers, not about the page. */
const besides = new Set(
  'organization corporation newsmediaorganization localbusiness website breadcrumblist sitenavigationelement imageobject person contactpoint postaladdress searchaction wpheader wpfooter wpsidebar review aggregaterating rating offer aggregateoffer comment'.split(
    ' ',
  ),
)
const texts = ['description', 'articleBody', 'reviewBody', 'text']
const lists = ['recipeIngredient', 'supply', 'tool', 'recipeInstructions', 'step']
const inner = [
  '@graph',
  'mainEntity',
  'mainEntityOfPage',
  'acceptedAnswer',
  'suggestedAnswer',
  'hasPart',
  'itemListElement',
  'item',
]

/** Puts the text of JSON-LD in order: articles, questions with answers, products, recipes, events, instructions. */
export function walkDescribed(value: unknown, collector: Collector): void {
  if (Array.isArray(value)) {
    collector.within(null, () => {
      for (const item of value) walkDescribed(item, collector)
    })
  } else if (isRecord(value)) {
    if (typesOf(value).some((type) => besides.has(type))) return
    collector.within(headingIn(value), () => walkThing(value, collector))
  }
}

function walkThing(thing: Record<string, unknown>, collector: Collector): void {
  const own = texts.flatMap((name) => (typeof thing[name] === 'string' ? [thing[name]] : []))
  // A description is often only the start of the text.
  const said = own.filter((text) => !own.some((other) => other !== text && other.startsWith(text.slice(0, 80))))
  for (const text of said) if (wordsOf(text, 2) >= 2) collector.add(blocksOfText(text))
  const facts = thingFacts(thing).join('\n')
  if (facts) collector.add([{ kind: 'paragraph', text: facts, anchor: null }])
  for (const name of lists) addList(thing[name], collector)
  for (const name of inner) walkDescribed(thing[name], collector)
}

/** Ingredients and steps: lines of a list where they are short texts, things of their own otherwise. */
function addList(value: unknown, collector: Collector): void {
  if (typeof value === 'string') collector.add(blocksOfText(value))
  const items = Array.isArray(value) ? value.slice(0, 1000) : []
  const lines = items.map((item) => cleanText(typeof item === 'string' ? item : plainStep(item)).replaceAll('\n', ' '))
  const text = lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n')
  if (text) collector.add([{ kind: 'list', text, anchor: null }])
  for (const item of items) if (isRecord(item) && plainStep(item) === '') walkDescribed(item, collector)
}

function plainStep(item: unknown): string {
  if (!isRecord(item) || 'itemListElement' in item || 'step' in item) return ''
  const { name, text } = item
  return [name, text].filter((part, at, all) => typeof part === 'string' && all.indexOf(part) === at).join(': ')
}

function headingIn(thing: Record<string, unknown>): string | null {
  const name = [thing.headline, thing.name].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof name === 'string' ? cleanText(name).replaceAll('\n', ' ').slice(0, 200) : null
}

/** Lower case. */
export function typesOf(thing: Record<string, unknown>): string[] {
  return [thing['@type']].flat().flatMap((type) => (typeof type === 'string' ? [type.toLowerCase()] : []))
}
