import { readFileSync, type Stats, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'

/** Requests since the last reset. */
export interface Asked {
  requests: number
  /** Responses with status 200 and HTML. */
  pages: number
  /** The first few of them, which show in a second crawl what was read again. */
  examples: string[]
  conditional: number
  notModified: number
  notFound: number
  /** Distinct addresses. */
  addresses: number
  /** Maximum number of concurrent requests. */
  atOnce: number
  bytes: number
  cpuSeconds: number
}

/** Messages from the bench. The process answers 'counts' with `Asked`. */
export type ServerOrder = 'counts' | 'reset'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

/**
 * Serves a folder on 127.0.0.1 in a process of its own: crawl-server.js <folder>. Its first message is its address. It
 * ends with the process that started it.
 */
function serve(folder: string): void {
  const front = frontOf(folder)
  let asked = nothing()
  let urls = new Set<string>()
  let usage = process.cpuUsage()
  let underWay = 0

  const server = createServer({ keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
    underWay++
    asked.requests++
    asked.atOnce = Math.max(asked.atOnce, underWay)
    urls.add(request.url ?? '')
    let isAnswered = false
    const answered = () => {
      if (!isAnswered) underWay--
      isAnswered = true
    }
    // The next request may arrive before the end of this one is reported.
    response.once('finish', answered).once('close', answered)
    answer(folder, front, request, response, asked)
  })
  process.on('message', (order: ServerOrder) => {
    if (order === 'reset') {
      asked = nothing()
      urls = new Set()
      usage = process.cpuUsage()
      return
    }
    const { user, system } = process.cpuUsage(usage)
    process.send?.({ ...asked, addresses: urls.size, cpuSeconds: (user + system) / 1e6 } satisfies Asked)
  })
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
}

function nothing(): Asked {
  return {
    requests: 0,
    pages: 0,
    examples: [],
    conditional: 0,
    notModified: 0,
    notFound: 0,
    addresses: 0,
    atOnce: 0,
    bytes: 0,
    cpuSeconds: 0,
  }
}

/** The target of an immediate redirect by the front page, which the server then sends itself; null without one. */
function frontOf(folder: string): string | null {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const [, to = null] = /<meta http-equiv="refresh" content="0;\s*url=([^"]+)"/i.exec(html.slice(0, 1024)) ?? []
  return to
}

function answer(
  folder: string,
  front: string | null,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked,
): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (front !== null && (pathname === '/' || pathname === '/index.html')) {
    response.writeHead(302, { location: `/${front}` }).end()
    return
  }
  const { 'if-none-match': etagAsked, 'if-modified-since': since } = request.headers
  if (etagAsked !== undefined || since !== undefined) asked.conditional++
  const file = fileOf(folder, pathname)
  const stat = file === null ? undefined : statSync(file, { throwIfNoEntry: false })
  if (file === null || !stat?.isFile()) {
    asked.notFound++
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.')
    return
  }
  const headers = { etag: etagOf(stat), 'last-modified': stat.mtime.toUTCString() }
  const isSame =
    etagAsked === undefined
      ? since !== undefined && Date.parse(since) >= stat.mtimeMs - 999
      : etagAsked === headers.etag
  if (isSame) {
    asked.notModified++
    response.writeHead(304, headers).end()
    return
  }
  const body = readFileSync(file)
  const type = types[extname(file)] ?? 'application/octet-stream'
  if (type.startsWith('text/html') && ++asked.pages <= 5) asked.examples.push(pathname)
  asked.bytes += body.length
  response.writeHead(200, { ...headers, 'content-type': type, 'content-length': body.length }).end(body)
}

/** Null for an address that cannot be decoded or is outside the folder. */
function fileOf(folder: string, pathname: string): string | null {
  try {
    const file = resolve(folder, `.${decodeURIComponent(pathname)}`, pathname.endsWith('/') ? 'index.html' : '')
    return file.startsWith(`${folder}/`) ? file : null
  } catch {
    return null
  }
}

function etagOf({ size, mtimeMs }: Stats): string {
  return `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`
}

serve(resolve(process.argv[2] ?? '.'))
