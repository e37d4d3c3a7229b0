import { cleanText } from '../dom/text'
import { isRecord } from './is-record'

/**
 * What structured data says of a product, a recipe or an event in single values, as lines 'Price: 12.00 EUR'. Data says
 * such things in a form that no page shows: dates and durations of ISO 8601, addresses of schema.org.
 */
export function thingFacts(thing: Record<string, unknown>): string[] {
  const offer = first(thing.offers)
  const facts: [string, string][] = [
    ['When', joined([thing.startDate, thing.endDate].map(plain), ' to ')],
    ['Where', 'startDate' in thing ? placeOf(thing.location) : ''],
    ['Brand', nameOf(thing.brand)],
    ['SKU', plain(thing.sku)],
    ['GTIN', plain(thing.gtin13 ?? thing.gtin ?? thing.gtin8 ?? thing.gtin12 ?? thing.gtin14)],
    ['Price', offer ? priceOf(offer) : ''],
    ['Availability', offer ? termOf(offer.availability) : ''],
    ['Condition', offer ? termOf(offer.itemCondition).replace(/ condition$/i, '') : ''],
    ['Rating', ratingOf(first(thing.aggregateRating))],
    ['Preparation', durationOf(thing.prepTime)],
    ['Cooking', durationOf(thing.cookTime)],
    ['Total time', durationOf(thing.totalTime)],
    ['Makes', joined([thing.recipeYield].flat().map(plain), ', ')],
    ['Calories', isRecord(thing.nutrition) ? plain(thing.nutrition.calories) : ''],
  ]
  return facts.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}`)
}

function first(value: unknown): Record<string, unknown> | null {
  const one = Array.isArray(value) ? value[0] : value
  return isRecord(one) ? one : null
}

function plain(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? cleanText(value).replaceAll('\n', ' ').slice(0, 200) : ''
}

function joined(parts: string[], glue: string): string {
  return [...new Set(parts.filter((part) => part !== ''))].join(glue)
}

function nameOf(value: unknown): string {
  const one = Array.isArray(value) ? value[0] : value
  return plain(isRecord(one) ? one.name : one)
}

function placeOf(location: unknown): string {
  const place = Array.isArray(location) ? location[0] : location
  if (!isRecord(place)) return plain(place)
  const { address } = place
  const parts = isRecord(address)
    ? [address.streetAddress, address.postalCode, address.addressLocality, address.addressCountry]
    : [address]
  return joined([place.name, ...parts].map(nameOf), ', ')
}

function priceOf(offer: Record<string, unknown>): string {
  const specified = first(offer.priceSpecification) ?? {}
  const { price = specified.price, priceCurrency = specified.priceCurrency, lowPrice, highPrice } = offer
  const amount = plain(price) || joined([lowPrice, highPrice].map(plain), ' to ')
  return amount && joined([amount, plain(priceCurrency)], ' ')
}

/** 'https://schema.org/InStock' is 'In stock'. */
function termOf(value: unknown): string {
  const name = plain(value).split('/').at(-1) ?? ''
  const words = name.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function ratingOf(rating: Record<string, unknown> | null): string {
  const value = plain(rating?.ratingValue)
  const count = plain(rating?.reviewCount ?? rating?.ratingCount)
  return value && `${value} of ${plain(rating?.bestRating) || '5'}${count ? ` (${count} reviews)` : ''}`
}

/** 'PT1H30M' is '1 h 30 min'; whatever is none of ISO 8601 stays as it is. */
function durationOf(value: unknown): string {
  const text = plain(value)
  const [, days, hours, minutes, seconds] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text) ?? []
  const parts = [
    [days, 'days'],
    [hours, 'h'],
    [minutes, 'min'],
    [seconds, 's'],
  ]
  const said = parts.filter(([count]) => Number(count ?? 0) > 0).map((part) => part.join(' '))
  return said.length > 0 ? said.join(' ') : /^P/i.test(text) ? '' : text
}
