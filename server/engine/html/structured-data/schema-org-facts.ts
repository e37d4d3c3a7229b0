import { cleanText } from '../dom/text'
import { isRecord } from '../is-record'

/**
 * Returns the scalar properties of a product, a recipe or an event as lines like 'Price: 12.00 EUR', with ISO 8601
 * durations and schema.org addresses made readable.
 */
export function schemaOrgFacts(thing: Record<string, unknown>): string[] {
  const offer = first(thing.offers)
  const facts: [string, string][] = [
    ['When', joinDistinct([thing.startDate, thing.endDate].map(plainText), ' to ')],
    ['Where', 'startDate' in thing ? placeOf(thing.location) : ''],
    ['Brand', nameOf(thing.brand)],
    ['SKU', plainText(thing.sku)],
    ['GTIN', plainText(thing.gtin13 ?? thing.gtin ?? thing.gtin8 ?? thing.gtin12 ?? thing.gtin14)],
    ['Price', offer ? priceOf(offer) : ''],
    ['Availability', offer ? termOf(offer.availability) : ''],
    ['Condition', offer ? termOf(offer.itemCondition).replace(/ condition$/i, '') : ''],
    ['Rating', ratingOf(first(thing.aggregateRating))],
    ['Preparation', durationOf(thing.prepTime)],
    ['Cooking', durationOf(thing.cookTime)],
    ['Total time', durationOf(thing.totalTime)],
    ['Makes', joinDistinct([thing.recipeYield].flat().map(plainText), ', ')],
    ['Calories', isRecord(thing.nutrition) ? plainText(thing.nutrition.calories) : ''],
  ]
  return facts.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}`)
}

function first(value: unknown): Record<string, unknown> | null {
  const item = Array.isArray(value) ? value[0] : value
  return isRecord(item) ? item : null
}

function plainText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? cleanText(value).replaceAll('\n', ' ').slice(0, 200) : ''
}

function joinDistinct(parts: string[], glue: string): string {
  return [...new Set(parts.filter((part) => part !== ''))].join(glue)
}

function nameOf(value: unknown): string {
  const item = Array.isArray(value) ? value[0] : value
  return plainText(isRecord(item) ? item.name : item)
}

function placeOf(location: unknown): string {
  const place = Array.isArray(location) ? location[0] : location
  if (!isRecord(place)) return plainText(place)
  const { address } = place
  const parts = isRecord(address)
    ? [address.streetAddress, address.postalCode, address.addressLocality, address.addressCountry]
    : [address]
  return joinDistinct([place.name, ...parts].map(nameOf), ', ')
}

function priceOf(offer: Record<string, unknown>): string {
  const specified = first(offer.priceSpecification) ?? {}
  const { price = specified.price, priceCurrency = specified.priceCurrency, lowPrice, highPrice } = offer
  const amount = plainText(price) || joinDistinct([lowPrice, highPrice].map(plainText), ' to ')
  return amount && joinDistinct([amount, plainText(priceCurrency)], ' ')
}

/** Returns 'In stock' for 'https://schema.org/InStock'. */
function termOf(value: unknown): string {
  const name = plainText(value).split('/').at(-1) ?? ''
  const words = name.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function ratingOf(rating: Record<string, unknown> | null): string {
  const value = plainText(rating?.ratingValue)
  const count = plainText(rating?.reviewCount ?? rating?.ratingCount)
  return value && `${value} of ${plainText(rating?.bestRating) || '5'}${count ? ` (${count} reviews)` : ''}`
}

/** Returns '1 h 30 min' for 'PT1H30M'; any other text is returned as it is. */
function durationOf(value: unknown): string {
  const text = plainText(value)
  const [, days, hours, minutes, seconds] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text) ?? []
  const parts = [
    [days, 'days'],
    [hours, 'h'],
    [minutes, 'min'],
    [seconds, 's'],
  ]
  const components = parts.filter(([count]) => Number(count ?? 0) > 0).map((part) => part.join(' '))
  return components.length > 0 ? components.join(' ') : /^P/i.test(text) ? '' : text
}
