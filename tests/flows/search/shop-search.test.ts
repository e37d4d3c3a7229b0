import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FoundFragment } from '../../../contract/views/chat/search-results'
import { system } from '../../../server/actor'
import { createTestApp } from '../../support/app'
import { firstCard } from '../../support/browser/first-card'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { shopSite } from '../../support/sites/shop-site'
import type { Site } from '../../support/sites/site'

let site: Site
let shop: CrawledCollection

beforeAll(async () => {
  site = await shopSite()
  shop = await createCollection({}, 'Harbour Lamps', await createTestApp({}, { embedder: undefined }))
  const embedding = shop.test.app.startEmbedding()
  await shop.add({ type: 'domain', url: site.origin })
  await embedding
  await shop.test.runner.idle()
})
afterAll(async () => {
  await shop?.test.close()
  await site?.close()
})

async function found(query: string, preferredLanguage: string): Promise<FoundFragment[]> {
  const { app } = shop.test
  const request = { collectionId: shop.collectionId, query, preferredLanguage }
  return (await app.services.search.collection(system, shop.orgId, request)).fragments
}

describe('a visitor of the shop sees the answer in the first result', () => {
  it.each([
    ['en', 'What is your telephone number?', '+48 58 555 01 47'],
    ['en', 'When are you open on Saturday?', 'Saturday: 10 am to 2 pm'],
    ['en', 'How much does the Storm 40 lantern cost?', '€89.00'],
    ['en', 'How long is the warranty?', 'a warranty of five years'],
    ['de', 'Wie ist Ihre Telefonnummer?', '+48 58 555 01 47'],
    ['de', 'Wie sind die Öffnungszeiten am Samstag?', 'Samstag: 10 bis 14 Uhr'],
    ['de', 'Was kostet die Sturmlaterne 40?', '89,00 €'],
    ['de', 'Wie lange habe ich Garantie?', 'fünf Jahre Garantie'],
    ['pl', 'Jaki jest numer telefonu?', '+48 58 555 01 47'],
    ['pl', 'Jakie są godziny otwarcia w sobotę?', 'Sobota: 10.00–14.00'],
    ['pl', 'Ile kosztuje latarnia sztormowa 40?', '379,00 zł'],
    ['pl', 'Jak długo trwa gwarancja?', 'gwarancji na pięć lat'],
  ])('%s: %s', async (language, question, answer) => {
    expect(firstCard(await found(question, language)).text).toContain(answer)
  })
})

describe('the contacts of the shop', () => {
  it.each([
    ['en', 'What is your telephone number?', '+48 58 555 01 47', 'Harbour Lamps'],
    ['en', 'What is your e-mail address?', 'shop@harbour-lamps.example', 'Harbour Lamps'],
    ['de', 'Wie ist Ihre Telefonnummer?', '+48 58 555 01 47', 'Hafenlampen'],
    ['de', 'Wie lautet Ihre E-Mail-Adresse?', 'shop@harbour-lamps.example', 'Hafenlampen'],
    ['pl', 'Jaki jest numer telefonu?', '+48 58 555 01 47', 'Lampy Portowe'],
    ['pl', 'Jaki jest adres e-mail?', 'shop@harbour-lamps.example', 'Lampy Portowe'],
  ])('are complete in the language of the question: %s: %s', async (language, question, answer, name) => {
    const fragments = await found(question, language)
    const card = firstCard(fragments)
    expect(card.text).toContain(answer)
    expect(card.url).toContain(`${site.origin}/${language}/`)
    expect(fragments[0]).toMatchObject({ title: name })
  })
})
