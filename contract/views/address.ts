import { z } from 'zod'
import { addressStatuses } from '../enumerations'
import { count, id, reason, textOrNull, time } from './fields'
import { fragmentViewSchema } from './fragment'

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
  /** Number of links from the start of the source. */
  depth: count,
  discovered_from: textOrNull,
  /** The address that is indexed instead of this one. */
  canonical_url: textOrNull,
  meta_title: textOrNull,
  meta_description: textOrNull,
  fragments: count,
  /** Consecutive failures. */
  failures: count,
  ignored: z.boolean(),
  /** The last visit that found a page, changed or not. */
  crawled_at: time.nullable(),
  /** When its body was last downloaded and read. */
  fetched_at: time.nullable(),
  /** When its text last changed. */
  changed_at: time.nullable(),
  /** As the page or file states them. */
  published_at: time.nullable(),
  modified_at: time.nullable(),
  /** The next scheduled retry. */
  next_fetch_at: time.nullable(),
  updated_at: time,
  created_at: time,
  source_id: id,
  collection_id: id,
  organization_id: id,
})
export type AddressView = z.infer<typeof addressViewSchema>

/** A fragment of an address, with its position. */
export const addressFragmentSchema = fragmentViewSchema
  .omit({ score: true, address_id: true, collection_id: true })
  .extend({
    /** Position among the fragments of the address, from 1. */
    number: z.number().int().min(1),
    /** Tokens of the embedding model, with title and headings. */
    tokens: count,
    /** BCP 47, lower case; null where unknown. */
    language: textOrNull,
    /** Whether semantic search finds it. */
    embedded: z.boolean(),
  })
export type AddressFragment = z.infer<typeof addressFragmentSchema>
