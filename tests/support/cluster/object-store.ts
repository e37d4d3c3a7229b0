import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ObjectStore {
  endpoint: string
  objects: Map<string, Buffer>
  /** The response to all requests from now on; null for the store's own. `hang`: none at all. */
  failure: { status: number; code: string } | 'hang' | null
  requests: { method: string; path: string; authorization: string }[]
  close(): Promise<void>
}

/** A bucket that speaks the part of S3's protocol that the product uses. Lists two objects a page. */
export async function startObjectStore(bucket: string): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const store: ObjectStore = { endpoint: '', objects, failure: null, requests: [], close }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    const { method = '' } = request
    store.requests.push({ method, path: url.pathname, authorization: request.headers.authorization ?? '' })
    if (store.failure === 'hang') return
    const body = decodeChunks(await buffer(request), request.headers['content-encoding'] ?? '')
    if (store.failure) return error(response, store.failure.status, store.failure.code)
    const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    if (name !== bucket) return error(response, 404, 'NoSuchBucket')
    if (await uploadPart(url, method, key, body, response)) return
    if (key === '') return method === 'HEAD' ? void response.end() : list(url, response)
    if (method === 'PUT') objects.set(key, body)
    if (method === 'DELETE') objects.delete(key)
    if (method !== 'GET') return void response.writeHead(method === 'DELETE' ? 204 : 200, etagOf(body)).end()
    const content = objects.get(key)
    if (!content) return error(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-length': content.length, ...etagOf(content) }).end(content)
  }

  /** Objects in parts: begin, parts, complete, abort. */
  async function uploadPart(url: URL, method: string, key: string, body: Buffer, response: ServerResponse) {
    const id = url.searchParams.get('uploadId')
    const part = Number(url.searchParams.get('partNumber'))
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const begun = crypto.randomUUID()
      uploads.set(begun, new Map())
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(
        `<?xml version="1.0"?><InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`,
      )
      return true
    }
    const parts = id === null ? undefined : uploads.get(id)
    if (id === null || !parts) return false
    if (method === 'PUT') {
      parts.set(part, body)
      response.writeHead(200, etagOf(body)).end()
    } else if (method === 'POST') {
      const whole = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, content]) => content))
      objects.set(key, whole)
      uploads.delete(id)
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(
        `<?xml version="1.0"?><CompleteMultipartUploadResult><Key>${key}</Key><ETag>${etagOf(whole).etag}</ETag></CompleteMultipartUploadResult>`,
      )
    } else {
      uploads.delete(id)
      response.writeHead(204).end()
    }
    return true
  }

  function list(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, 2)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-31T10:00:00.000Z</LastModified><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
    )
    const next = keys.length > 2 ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
    )
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return store
}

function etagOf(body: Buffer): { etag: string } {
  return { etag: `"${createHash('md5').update(body).digest('hex')}"` }
}

function error(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** The SDK may send a body in chunks, each after a line with its size in hexadecimal. */
function decodeChunks(body: Buffer, encoding: string): Buffer {
  if (!encoding.includes('aws-chunked')) return body
  const chunks: Buffer[] = []
  for (let start = 0; ; ) {
    const end = body.indexOf('\r\n', start)
    const size = Number.parseInt(body.toString('latin1', start, end), 16)
    if (!(size > 0)) return Buffer.concat(chunks)
    chunks.push(body.subarray(end + 2, end + 2 + size))
    start = end + 2 + size + 2
  }
}
