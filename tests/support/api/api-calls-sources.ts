import { z } from 'zod'
import { addressFragmentSchema, addressViewSchema } from '../../../contract/views/address'
import { paged } from '../../../contract/views/fields'
import { pagePreviewViewSchema, previewEventSchema } from '../../../contract/views/preview'
import { refreshViewSchema, runReportSchema } from '../../../contract/views/run'
import { progressEventSchema, sourceViewSchema } from '../../../contract/views/source'
import type { ApiEndpoint } from './api-endpoint'
import { choices, neverLine, optionalText, requiredName, success, wrongOptions } from './api-wrong'

const options = {
  include: ['/docs/**'],
  exclude: '/docs/old/**\n/shop/**',
  max_pages: '500',
  max_depth: null,
  refresh_interval: 'daily',
  crawl_delay_ms: 1_000,
  headers: { 'X-Key': 'secret-of-the-test' },
}

const wrongSource = {
  name: [null, ...optionalText(64), ...neverLine],
  type: [...choices, 'file'],
  url: [undefined, null, '', 'lamps.example', 'ftp://lamps.example/', 'http://me:secret@lamps.example/', 'https://'],
  ...wrongOptions,
}

/** Sources and their addresses. */
const previewEvent = z
  .strictObject({ event: z.enum(['address', 'progress', 'done']), data: previewEventSchema })
  .refine(({ event, data }) => event === data.kind, 'An event is named by the kind of its data')

export const sourceCalls: ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}',
    file: '$orgId+/sources+/$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ sources: paged(sourceViewSchema) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}',
    file: '$orgId+/sources+/$collectionId',
    may: 'member',
    // `status` is in the contract's form; what a source's status is, the product decides.
    body: () => ({
      name: 'A page',
      type: 'url',
      url: `https://lamps.example/${crypto.randomUUID()}`,
      status: 'new',
      ...options,
    }),
    form: true,
    status: 201,
    answer: z.strictObject({ source: sourceViewSchema }),
    wrong: wrongSource,
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/preview',
    file: '$orgId+/sources+/$collectionId.preview',
    may: 'member',
    // Nobody may connect there, so it is out.
    body: () => ({ type: 'url', url: 'http://127.0.0.1:22/' }),
    form: true,
    status: 200,
    answer: null,
    events: previewEvent,
    wrong: wrongSource,
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/page-preview',
    file: '$orgId+/sources+/$collectionId.page-preview',
    may: 'member',
    body: () => ({ page: 'http://127.0.0.1:22/', exclude_selectors: ['nav'] }),
    status: 200,
    answer: z.strictObject({ preview: pagePreviewViewSchema }),
    wrong: { page: [undefined, null, '', 'lamps.example', 'ftp://lamps.example/'], ...wrongOptions },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId+/sources+/$collectionId.$sourceId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ source: sourceViewSchema }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId+/sources+/$collectionId.$sourceId',
    may: 'member',
    body: () => ({ name: 'Renamed by the test', ...options }),
    form: true,
    status: 200,
    answer: z.strictObject({ success, source: sourceViewSchema }),
    wrong: { name: requiredName(64).filter((value) => value !== undefined), ...wrongOptions },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId+/sources+/$collectionId.$sourceId',
    may: 'member',
    spends: 'source',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}/{upload}/file',
    file: '$orgId+/sources+/$collectionId.$sourceId.file',
    may: 'viewer',
    status: 200,
    answer: null,
    saves: true,
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/refresh',
    file: '$orgId+/sources+/$collectionId.$sourceId.refresh',
    may: 'member',
    // Its run is under way: the answer speaks of that one, at once.
    body: () => ({ crawl: true, auto: true }),
    optional: true,
    spends: 'source',
    status: 200,
    answer: refreshViewSchema,
    wrong: { crawl: [null, 'true', 1, [], {}], auto: [null, 'true', 0, [], {}] },
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/pause',
    file: '$orgId+/sources+/$collectionId.$sourceId.pause',
    may: 'member',
    spends: 'source',
    status: 200,
    answer: z.strictObject({ success, source: sourceViewSchema.extend({ paused: z.literal(true) }) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/resume',
    file: '$orgId+/sources+/$collectionId.$sourceId.resume',
    may: 'member',
    spends: 'source',
    status: 200,
    answer: z.strictObject({ success, source: sourceViewSchema.extend({ paused: z.literal(false) }) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/cancel',
    file: '$orgId+/sources+/$collectionId.$sourceId.cancel',
    may: 'member',
    spends: 'source',
    status: 200,
    answer: z.strictObject({
      success,
      source: sourceViewSchema.extend({ last_run: runReportSchema.extend({ cancelled: z.literal(true) }) }),
    }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}/{source}/runs',
    file: '$orgId+/sources+/$collectionId.$sourceId.runs',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ runs: paged(runReportSchema) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}/{source}/progress',
    file: '$orgId+/sources+/$collectionId.$sourceId.progress',
    may: 'viewer',
    status: 200,
    answer: null,
    events: progressEventSchema,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/urls/{collection}',
    file: '$orgId+/urls+/$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ urls: paged(addressViewSchema) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/urls/{collection}?status=idle&reason=&filter=127',
    file: '$orgId+/urls+/$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ urls: paged(addressViewSchema) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/urls/{collection}/{address}/fragments',
    file: '$orgId+/urls+/$collectionId.$addressId.fragments',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ address: addressViewSchema, fragments: paged(addressFragmentSchema) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/urls/{collection}/{address}/retry',
    file: '$orgId+/urls+/$collectionId.$addressId.retry',
    may: 'member',
    spends: 'address',
    status: 200,
    answer: z.strictObject({ success, url: addressViewSchema.extend({ status: z.literal('pending') }) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/urls/{collection}/{address}/ignore',
    file: '$orgId+/urls+/$collectionId.$addressId.ignore',
    may: 'member',
    spends: 'address',
    status: 200,
    answer: z.strictObject({
      success,
      url: addressViewSchema.extend({ ignored: z.literal(true), fragments: z.literal(0) }),
    }),
  },
]
