import { z } from 'zod'
import { addressStatuses } from '../values/enumerations'
import { fragmentViewSchema } from './chat/fragment'
import { count, id, named, reason, textOrNull, time } from './fields'

export const addressViewSchema = z.strictObject({
  id,
  url: z.url(),
  status: z.enum(addressStatuses),
  reason: reason.nullable(),
  message: textOrNull,
  http_status: z.number().int().nullable(),
  content_type: textOrNull,
  bytes: count.nullable(),
  language: textOrNull,
  depth: count.describe('Number of links from the start of the source.'),
  discovered_from: textOrNull,
  canonical_url: textOrNull.describe('The address that is indexed instead of this one.'),
  meta_title: textOrNull,
  meta_description: textOrNull,
  fragments: count,
  failures: count.describe('Consecutive failures.'),
  ignored: z.boolean(),
  crawled_at: time.nullable().describe('The last visit that found a page, changed or not.'),
  fetched_at: time.nullable().describe('When its body was last downloaded and read.'),
  changed_at: time.nullable().describe('When its text last changed.'),
  author: textOrNull.describe('Names of the authors of the page, separated by commas.'),
  published_at: time.nullable().describe('As the page or file states it.'),
  modified_at: time.nullable().describe('As the page or file states it.'),
  next_fetch_at: time.nullable().describe('The next scheduled retry.'),
  updated_at: time,
  created_at: time,
  source_id: id,
  source: named,
  collection_id: id,
  collection: named,
  organization_id: id,
  organization: named,
})
export type AddressView = z.infer<typeof addressViewSchema>

/** A fragment of an address, with its position. */
export const addressFragmentSchema = fragmentViewSchema
  .omit({ score: true, address_id: true, collection_id: true })
  .extend({
    number: z.number().int().min(1).describe('Position within the address, from 1.'),
    tokens: count.describe('Number of tokens of the embedding model, including title and headings.'),
    language: textOrNull.describe('BCP 47, lower case; null if unknown.'),
    embedded: z.boolean().describe('Whether semantic search finds it.'),
  })
export type AddressFragment = z.infer<typeof addressFragmentSchema>
