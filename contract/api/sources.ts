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
import { operation } from './operation'

export const listSources = operation({
  id: 'listSources',
  method: 'GET',
  path: '/v1/{orgId}/sources/{collectionId}',
  summary: 'List the sources of a collection',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.sources),
  answer: z.strictObject({ sources: paged(sourceViewSchema) }),
})

export const createSource = operation({
  id: 'createSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}',
  summary: 'Add a source',
  description: 'Send an address as JSON or as a form, or a file as a form. The first run starts right away.',
  callers: 'person',
  role: 'member',
  upload: { fields: sourceSchema, file: fileSourceSchema },
  status: 201,
  answer: z.strictObject({ source: sourceViewSchema }),
  errors: ['conflict', 'quota_exceeded', 'storage_full'],
})

export const previewSource = operation({
  id: 'previewSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/preview',
  summary: 'Preview a source',
  description: 'Streams what the source would index. Stores nothing. The last event is `done`.',
  callers: 'person',
  role: 'member',
  body: sourceSchema,
  form: true,
  events: previewEventSchema,
})

export const previewPage = operation({
  id: 'previewPage',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/page-preview',
  summary: 'Preview selectors on a page',
  description: 'Stores nothing.',
  callers: 'person',
  role: 'member',
  body: pagePreviewSchema,
  answer: z.strictObject({ preview: pagePreviewViewSchema }),
  errors: ['unavailable'],
})

export const getSource = operation({
  id: 'getSource',
  method: 'GET',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
  summary: 'Get a source',
  callers: 'person',
  answer: z.strictObject({ source: sourceViewSchema }),
})

export const updateSource = operation({
  id: 'updateSource',
  method: 'PUT',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
  summary: 'Update a source, or replace its file',
  callers: 'person',
  role: 'member',
  upload: { fields: sourceEditSchema, file: fileReplacementSchema },
  answer: z.strictObject({ success, source: sourceViewSchema }),
  errors: ['conflict', 'storage_full', 'unavailable'],
})

export const deleteSource = operation({
  id: 'deleteSource',
  method: 'DELETE',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}',
  summary: 'Delete a source',
  callers: 'person',
  role: 'member',
})

export const getSourceFile = operation({
  id: 'getSourceFile',
  method: 'GET',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/file',
  summary: 'Download the file of a source',
  description: 'As it was uploaded. Returns 404 for sources of other types.',
  callers: 'person',
  file: true,
  errors: ['unavailable'],
})

export const refreshSource = operation({
  id: 'refreshSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/refresh',
  summary: 'Refresh a source',
  description: 'Starts a run. Returns 504 if finding the addresses takes longer than 20 seconds; the run continues.',
  callers: 'person',
  role: 'member',
  body: refreshSchema,
  optional: true,
  answer: refreshViewSchema,
  errors: ['conflict', 'still_working'],
})

export const pauseSource = operation({
  id: 'pauseSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/pause',
  summary: 'Pause the run of a source',
  description: 'Without a run, pauses the indexing of the source: its fragments get no embeddings until it is resumed.',
  callers: 'person',
  role: 'member',
  answer: z.strictObject({ success, source: sourceViewSchema }),
  errors: ['conflict'],
})

export const resumeSource = operation({
  id: 'resumeSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/resume',
  summary: 'Resume the run of a source',
  description: 'Without a paused run, resumes the indexing of the source.',
  callers: 'person',
  role: 'member',
  answer: z.strictObject({ success, source: sourceViewSchema }),
  errors: ['conflict'],
})

export const cancelSource = operation({
  id: 'cancelSource',
  method: 'POST',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/cancel',
  summary: 'Cancel the run of a source',
  callers: 'person',
  role: 'member',
  answer: z.strictObject({ success, source: sourceViewSchema }),
  errors: ['conflict'],
})

export const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/runs',
  summary: 'List the latest runs of a source',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.runs),
  answer: z.strictObject({ runs: paged(runReportSchema) }),
})

export const watchSource = operation({
  id: 'watchSource',
  method: 'GET',
  path: '/v1/{orgId}/sources/{collectionId}/{sourceId}/progress',
  summary: 'Watch the progress of a source',
  description: 'Streams an event `progress` whenever the source changes, and `done` once the run has ended.',
  callers: 'person',
  events: sourceViewSchema,
})
