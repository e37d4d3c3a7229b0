import { z } from 'zod'
import { addressStatuses, sourceStatuses, sourceTypes } from '../../contract/enumerations'
import { fileTypes } from '../../contract/file'
import { reasonCodes } from '../../contract/reasons'
import { refreshIntervals } from '../../contract/source-options'

// What /v1 answers, field by field and with nothing more: a field that leaks fails as one that is missing does.

const id = z.string().min(1)
const time = z.iso.datetime()
const many = z.number().int().min(0)
const text = z.string()
const textOrNull = text.nullable()
/** Dots and four characters. */
const _keyHint = z
  .string()
  .regex(/^••••.{0,4}$/)
  .nullable()

export const paged = (item: z.ZodType) => z.strictObject({ docs: z.array(item), total: many, pages: many })

const _planOrUsage = {
  collections: many,
  sources: many,
  urls: many,
  crawls: many,
  agents: many,
  threads: many,
  messages: many,
  storage: many,
}
const reasonCounts = z.array(z.strictObject({ reason: z.enum(reasonCodes), message: text.min(1), count: many }))

export const run = z.strictObject({
  id,
  kind: z.enum(['full', 'discover', 'address']),
  started_at: time,
  finished_at: time.nullable(),
  checked: many,
  fetched: many,
  unchanged: many,
  changed: many,
  new: many,
  withdrawn: many,
  failed: many,
  canonicalized: many,
  ignored: many,
  bytes: many,
  fragments: many,
  embedded: many,
  rejected: reasonCounts,
  withdrawals: reasonCounts,
  skipped: reasonCounts,
  problem: z.strictObject({ reason: z.enum(reasonCodes), message: text.min(1) }).nullable(),
  duration_ms: many,
  cancelled: z.boolean(),
})

export const source = z.strictObject({
  id,
  collection_id: id,
  organization_id: id,
  type: z.enum(sourceTypes),
  name: text,
  status: z.enum(sourceStatuses),
  reason: z.enum(reasonCodes).nullable(),
  message: textOrNull,
  url: textOrNull,
  file_name: textOrNull,
  file: z
    .strictObject({
      type: z.enum(fileTypes),
      bytes: many,
      sha256: text.length(64),
      uploaded_at: time,
      replacement: z.strictObject({ name: text, bytes: many, uploaded_at: time }).nullable(),
    })
    .nullable(),
  refreshed_at: time.nullable(),
  refresh_due_at: time.nullable(),
  created_at: time,
  created_by: id.nullable(),
  options: z.strictObject({
    include: z.array(text),
    exclude: z.array(text),
    include_selectors: z.array(text),
    exclude_selectors: z.array(text),
    max_pages: many.nullable(),
    max_depth: many.nullable(),
    refresh_interval: z.enum(refreshIntervals),
    crawl_delay_ms: many.nullable(),
    header_names: z.array(text),
  }),
  paused: z.boolean(),
  addresses: many,
  fragments_without_vector: many,
  progress: z
    .strictObject({ done: many, total: many, rate: z.number(), seconds_left: many.nullable(), current: textOrNull })
    .nullable(),
  last_run: run.nullable(),
  last_whole_run: run.nullable(),
})

export const refresh = z.strictObject({
  success: z.boolean(),
  count: many,
  ignored: many,
  crawlLimit: z.boolean(),
  status: z.enum(sourceStatuses),
})

export const address = z.strictObject({
  id,
  url: z.url(),
  status: z.enum(addressStatuses),
  reason: z.enum(reasonCodes).nullable(),
  message: textOrNull,
  http_status: z.number().int().nullable(),
  content_type: textOrNull,
  bytes: many.nullable(),
  language: textOrNull,
  depth: many,
  discovered_from: textOrNull,
  canonical_url: textOrNull,
  meta_title: textOrNull,
  meta_description: textOrNull,
  fragments: many,
  failures: many,
  ignored: z.boolean(),
  crawled_at: time.nullable(),
  fetched_at: time.nullable(),
  changed_at: time.nullable(),
  published_at: time.nullable(),
  modified_at: time.nullable(),
  next_fetch_at: time.nullable(),
  updated_at: time,
  created_at: time,
  source_id: id,
  collection_id: id,
  organization_id: id,
})

/** One server-sent event: its name and what its data is. */
export const progressEvent = z.strictObject({ event: z.enum(['progress', 'done']), data: source })

const summary = {
  found: many,
  in: many,
  out: many,
  read: many,
  reasons: z.array(z.strictObject({ reason: z.enum(reasonCodes), message: text.min(1), count: many })),
  folders: z.array(z.strictObject({ folder: text, in: many, out: many })),
  estimate: z.strictObject({ pages: many, seconds: many, bytes: many, fragments: many }).nullable(),
  cut: z.boolean(),
}
const reading = z.strictObject({
  words: many,
  fragments: z.array(z.strictObject({ headings: z.array(text), text, tokens: many })),
})
export const pagePreview = z.strictObject({
  page: z.url(),
  title: text,
  before: reading,
  after: reading,
  reason: z.enum(reasonCodes).nullable(),
  message: textOrNull,
})
export const previewEvent = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('address'),
    data: z.strictObject({
      kind: z.literal('address'),
      address: text.min(1),
      in: z.boolean(),
      reason: z.enum(reasonCodes).nullable(),
      message: textOrNull,
      title: textOrNull,
      depth: many,
      read: z.boolean(),
    }),
  }),
  z.strictObject({
    event: z.literal('progress'),
    data: z.strictObject({ kind: z.literal('progress'), ...summary }),
  }),
  z.strictObject({ event: z.literal('done'), data: z.strictObject({ kind: z.literal('done'), ...summary }) }),
])

export const fragment = z.strictObject({
  id,
  score: z.number().min(0).max(1),
  url: z.url(),
  link: z.url(),
  title: text,
  headings: z.array(text),
  content: text,
  address_id: id,
  collection_id: id,
})

export const addressFragment = fragment.omit({ score: true, address_id: true, collection_id: true }).extend({
  number: z.number().int().min(1),
  tokens: many,
  language: textOrNull,
  embedded: z.boolean(),
})

export const search = z.strictObject({
  fragments: z.array(fragment).min(1),
  mode: z.enum(['hybrid', 'keyword']),
  pending_embeddings: many,
})

const figure = z.number().min(0)
const figures = {
  keyword_rank: many.nullable(),
  vector_rank: many.nullable(),
  bm25: figure,
  cosine: z.number().nullable(),
  fusion_score: figure,
  rerank_score: figure,
  term_coverage: figure,
  weighted_term_coverage: figure,
  heading_match: figure,
  similarity: figure,
}
const dropReasons = ['below-threshold', 'duplicate', 'same-address', 'over-limit']

export const explainedSearch = search.extend({
  fragments: z.array(fragment.extend({ figures: z.strictObject({ ...figures, backfilled: z.boolean() }) })).min(1),
  explanation: z.strictObject({
    words: z.array(text),
    tokens_per_word: figure,
    vector_weight: figure,
    threshold: figure,
    keyword_hits: many,
    vector_hits: many,
    ranked: many,
    filtered_to: many.nullable(),
    dropped: z
      .array(
        z.strictObject({
          ...figures,
          id,
          url: text,
          title: text,
          reason: z.enum(dropReasons),
          duplicate_of: id.nullable(),
        }),
      )
      .max(50),
  }),
})
