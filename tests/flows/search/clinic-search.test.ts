import { afterAll, beforeAll, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { createTestApp } from '../../support/app'
import { firstCard } from '../../support/browser/first-card'
import { clinicSite } from '../../support/sites/clinic-site'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import type { Site } from '../../support/sites/site'

// What people ask a small firm for, in words that its pages do not use.

let site: Site
let clinic: CrawledCollection

beforeAll(async () => {
  site = await clinicSite()
  clinic = await createCollection({}, 'Clinic', await createTestApp({}, { embedder: undefined }))
  const embedding = clinic.test.app.startEmbedding()
  await clinic.add({ type: 'domain', url: site.origin })
  await embedding
  await clinic.test.runner.idle()
})
afterAll(async () => {
  await clinic?.test.close()
  await site?.close()
})

it.each([
  ['en', 'What is your phone number?', '+48 61 555 02 10'],
  ['en', 'When are you open on Saturday?', 'Saturday: 9 am to 1 pm'],
  ['en', 'how much is a night stay', 'Night stay with a nurse: 62 €'],
  ['en', 'How much does a vaccination cost?', 'Vaccination of a dog: 35 €'],
  ['en', 'Where can I park?', 'Parking for patients: 12 places'],
  ['de', 'Wie ist die Telefonnummer?', '+48 61 555 02 10'],
  ['de', 'Wann haben Sie geöffnet?', 'Samstag: 9 bis 13 Uhr'],
  ['de', 'Öffnungszeiten', 'Samstag: 9 bis 13 Uhr'],
  ['de', 'Wie viel kostet eine Impfung', 'Impfung eines Hundes: 35 €'],
  ['de', 'Was kostet eine Übernachtung?', 'Übernachtung mit Pflege: 62 €'],
  ['de', 'Wo kann ich parken?', 'Parkplatz für Patienten: 12 Plätze'],
  ['pl', 'Jaki jest numer telefonu?', '+48 61 555 02 10'],
  ['pl', 'godziny otwarcia', 'Sobota: 9.00–13.00'],
  ['pl', 'Kiedy jesteście otwarci?', 'Sobota: 9.00–13.00'],
  ['pl', 'Ile kosztuje szczepienie psa?', 'Szczepienie psa: 150 zł'],
  ['pl', 'Ile kosztuje nocleg?', 'Nocleg z opieką: 260 zł'],
  ['pl', 'gdzie można zaparkować', 'Parking dla pacjentów: 12 miejsc'],
])('%s: %s', async (preferredLanguage, query, answer) => {
  const request = { collectionId: clinic.collectionId, query, preferredLanguage }
  const { fragments } = await clinic.test.app.services.search.collection(system, clinic.orgId, request)
  expect(firstCard(fragments).text).toContain(answer)
})
