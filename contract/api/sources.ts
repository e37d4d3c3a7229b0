import { z } from 'zod'
import { fileReplacementSchema, fileSourceSchema } from '../sources/file-source'
import { pagePreviewSchema } from '../sources/page-preview'
import { refreshSchema, sourceEditSchema, sourceSchema } from '../sources/source'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { paged } from '../views/fields'
import { pagePreviewViewSchema, previewEventSchema } from '../views/preview'
import { refreshViewSchema, runReportSchema } from '../views/run'
import { sourceViewSchema } from '../views/source'
import { success } from './common'
import type { Operations } from './operation'

export const sourceOperations = {
  listSources: {
    method: 'GET',
    path: '/v1/{orgId}/sources/{collectionId}',
    summary: 'List the sources of a collection',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.sources),
    response: z.strictObject({ sources: paged(sourceViewSchema) }),
  },
  createSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}',
    summary: 'Add a source',
    description: 'Send an address as JSON or as a form, or a file as a form. The first run starts right away.',
    callers: 'person',
    role: 'member',
    upload: { fields: sourceSchema, file: fileSourceSchema },
    examples: [
      {
        title: 'Add a website',
        body: { type: 'domain', url: 'www.example.com', max_pages: 200, refresh_interval: 'weekly' },
      },
      {
        body: {
          type: 'url',
          name: 'Opening hours',
          url: 'https://www.example.com/hours',
          include: ['/docs/**'],
          exclude: '/docs/old/**\n/shop/**',
          max_pages: '500',
          max_depth: null,
          crawl_delay_ms: 1_000,
          headers: { 'X-Key': 'value' },
        },
      },
    ],
    status: 201,
    response: z.strictObject({ source: sourceViewSchema }),
    errors: ['conflict', 'quota_exceeded', 'storage_full'],
  },
  previewSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/preview',
    summary: 'Preview a source',
    description: 'Streams what the source would index. Stores nothing. The last event is `done`.',
    callers: 'person',
    role: 'member',
    body: sourceSchema,
    form: true,
    examples: [{ body: { type: 'domain', url: 'www.example.com' } }],
    events: previewEventSchema,
  },
  previewPage: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/page-preview',
    summary: 'Preview selectors on a page',
    description: 'Stores nothing.',
    callers: 'person',
    role: 'member',
    body: pagePreviewSchema,
    examples: [{ body: { page: 'https://www.example.com/hours', exclude_selectors: ['nav'] } }],
    response: z.strictObject({ preview: pagePreviewViewSchema }),
    errors: ['unavailable'],
  },
  getSource: {
    method: 'GET',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
    summary: 'Get a source',
    callers: 'person',
    response: z.strictObject({ source: sourceViewSchema }),
  },
  updateSource: {
    method: 'PUT',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
    summary: 'Update a source, or replace its file',
    callers: 'person',
    role: 'member',
    upload: { fields: sourceEditSchema, file: fileReplacementSchema },
    examples: [
      {
        body: {
          name: 'Website',
          include: ['/docs/**'],
          exclude: '/docs/old/**\n/shop/**',
          max_pages: '500',
          max_depth: null,
          refresh_interval: 'daily',
          crawl_delay_ms: 1_000,
          headers: { 'X-Key': 'value' },
        },
      },
    ],
    response: z.strictObject({ success, source: sourceViewSchema }),
    errors: ['conflict', 'storage_full', 'unavailable'],
  },
  deleteSource: {
    method: 'DELETE',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
    summary: 'Delete a source',
    callers: 'person',
    role: 'member',
  },
  getSourceFile: {
    method: 'GET',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/file',
    summary: 'Download the file of a source',
    description: 'As it was uploaded. Returns 404 for sources of other types.',
    callers: 'person',
    file: 'application/octet-stream',
    errors: ['unavailable'],
  },
  refreshSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/refresh',
    summary: 'Refresh a source',
    description: 'Starts a run. Returns 504 if finding the addresses takes longer than 20 seconds; the run continues.',
    callers: 'person',
    role: 'member',
    body: refreshSchema,
    optional: true,
    examples: [{ body: { crawl: true, auto: true } }],
    response: refreshViewSchema,
    errors: ['conflict', 'still_working'],
  },
  pauseSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/pause',
    summary: 'Pause the run of a source',
    description:
      'Without a run, pauses the indexing of the source: its fragments get no embeddings until it is resumed.',
    callers: 'person',
    role: 'member',
    response: z.strictObject({ success, source: sourceViewSchema }),
    errors: ['conflict'],
  },
  resumeSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/resume',
    summary: 'Resume the run of a source',
    description: 'Without a paused run, resumes the indexing of the source.',
    callers: 'person',
    role: 'member',
    response: z.strictObject({ success, source: sourceViewSchema }),
    errors: ['conflict'],
  },
  cancelSource: {
    method: 'POST',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/cancel',
    summary: 'Cancel the run of a source',
    callers: 'person',
    role: 'member',
    response: z.strictObject({ success, source: sourceViewSchema }),
    errors: ['conflict'],
  },
  listRuns: {
    method: 'GET',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/runs',
    summary: 'List the latest runs of a source',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.runs),
    response: z.strictObject({ runs: paged(runReportSchema) }),
  },
  watchSource: {
    method: 'GET',
    path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/progress',
    summary: 'Watch the progress of a source',
    description: 'Streams an event `progress` whenever the source changes, and `done` once the run has ended.',
    callers: 'person',
    events: sourceViewSchema,
  },
} satisfies Operations
