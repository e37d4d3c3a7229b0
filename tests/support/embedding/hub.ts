import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../until'

export interface HubFault {
  /** Which requests of files it concerns. */
  path: string
  kind: 'break' | 'truncate' | 'corrupt' | 'no-ranges' | 'status'
  /** Bytes that are sent before a break, or a status. */
  value?: number
  /** How many requests it concerns; all if omitted. */
  times?: number
  headers?: Record<string, string>
  /** Of a break: whether the client has what was sent, which it loses otherwise. */
  isReceived?: () => boolean
}

export interface FakeHub {
  endpoint: string
  commit: string
  /** Requests in order, such as 'GET /api/models/org/name/revision/main'; those to the storage host begin with 'storage'. */
  requests: { line: string; authorization: string | undefined; range: string | undefined }[]
  faults: HubFault[]
  /** Sizes that the list of files claims in place of the real ones. */
  claimedBytes: Record<string, number>
  /** What may read the model; anybody if null. */
  token: string | null
  isGated: boolean
  close(): Promise<void>
}

/**
 * A hub with one model that speaks Hugging Face's protocol: it lists files by commit in pages, and redirects requests of
 * large ones to a storage host.
 */
export async function startFakeHub(
  repository: string,
  files: Record<string, Uint8Array>,
  { pageSize = 1_000, largeBytes = 10_000 } = {},
): Promise<FakeHub> {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))
  const commit = createHash('sha1').update(repository).digest('hex')
  const storage = createServer((request, response) => sendFile('storage', request, response))
  const hub = createServer((request, response) => handle(request, response))
  const storageUrl = await listen(storage)
  const fake: FakeHub = {
    endpoint: await listen(hub),
    commit,
    requests: [],
    faults: [],
    claimedBytes: {},
    token: null,
    isGated: false,
    close: async () => {
      for (const server of [hub, storage]) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    },
  }
  return fake

  function note(host: string, request: IncomingMessage): void {
    const { authorization, range } = request.headers
    fake.requests.push({ line: `${host} ${request.url}`, authorization, range })
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://hub')
    const isFile = url.pathname.startsWith(`/${repository}/resolve/`)
    if (isFile) {
      sendFile('hub', request, response)
      return
    }
    note('hub', request)
    if (applyStatus('', response) || !isAllowed(request, response)) return
    const api = `/api/models/${repository}`
    if (url.pathname === `${api}/revision/main` || url.pathname === `${api}/revision/${commit}`) {
      json(response, { id: repository, sha: commit, siblings: [] })
      return
    }
    if (url.pathname === `${api}/tree/${commit}`) {
      sendTree(url, response)
      return
    }
    if (url.pathname.startsWith(`${api}/revision/`)) {
      refuse(response, 404, 'RevisionNotFound')
      return
    }
    refuse(response, 401, 'RepoNotFound')
  }

  function sendTree(url: URL, response: ServerResponse): void {
    const all = [
      { type: 'directory', oid: '0'.repeat(40), size: 0, path: 'onnx' },
      ...[...contents].map(([path, content]) => entryOf(path, content)),
    ]
    const start = Number(url.searchParams.get('cursor') ?? 0)
    const next = start + pageSize
    if (next < all.length) {
      url.searchParams.set('cursor', String(next))
      response.setHeader('link', `<${fake.endpoint}${url.pathname}${url.search}>; rel="next"`)
    }
    json(response, all.slice(start, next))
  }

  function entryOf(path: string, content: Buffer) {
    const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    const size = fake.claimedBytes[path] ?? content.length
    const entry = { type: 'file', oid, size, path }
    if (content.length < largeBytes) return entry
    return { ...entry, lfs: { oid: createHash('sha256').update(content).digest('hex'), size } }
  }

  function isAllowed(request: IncomingMessage, response: ServerResponse): boolean {
    const authorization = request.headers.authorization
    if (authorization !== undefined && authorization !== `Bearer ${fake.token}`) {
      refuse(response, 401, '')
      return false
    }
    if (fake.isGated && authorization === undefined) {
      refuse(response, 401, 'GatedRepo')
      return false
    }
    return true
  }

  function sendFile(host: 'hub' | 'storage', request: IncomingMessage, response: ServerResponse): void {
    note(host, request)
    const url = new URL(request.url ?? '', 'http://hub')
    const path = host === 'storage' ? url.pathname.slice(1) : url.pathname.split('/').slice(5).join('/')
    const content = contents.get(decodeURIComponent(path))
    if (host === 'hub' && !isAllowed(request, response)) return
    if (!content) {
      refuse(response, 404, 'EntryNotFound')
      return
    }
    if (host === 'hub' && content.length >= largeBytes) {
      response.writeHead(302, { location: `${storageUrl}/${path}` })
      response.end()
      return
    }
    if (applyStatus(path, response)) return
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const ignoresRange = takeFault(path, 'no-ranges') !== null
    const isPart = start > 0 && !ignoresRange
    const body = Buffer.from(content.subarray(isPart ? start : 0))
    if (takeFault(path, 'corrupt')) body[0] = (body[0] ?? 0) ^ 1
    const truncated = takeFault(path, 'truncate')
    const sent = truncated ? body.subarray(0, truncated.value) : body
    response.writeHead(isPart ? 206 : 200, {
      'content-length': sent.length,
      ...(isPart ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
    })
    const broken = takeFault(path, 'break')
    if (!broken) {
      response.end(sent)
      return
    }
    response.write(sent.subarray(0, broken.value))
    const { isReceived = () => true } = broken
    void until(isReceived, { everyMs: 1 }).finally(() => response.destroy())
  }

  function applyStatus(path: string, response: ServerResponse): boolean {
    const fault = takeFault(path, 'status')
    if (!fault) return false
    response.writeHead(fault.value ?? 500, fault.headers)
    response.end()
    return true
  }

  function takeFault(path: string, kind: HubFault['kind']): HubFault | null {
    const fault = fake.faults.find((item) => item.path === path && item.kind === kind && item.times !== 0)
    if (!fault) return null
    if (fault.times !== undefined) fault.times -= 1
    return fault
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, code === '' ? {} : { 'x-error-code': code })
  response.end(JSON.stringify({ error: code }))
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
