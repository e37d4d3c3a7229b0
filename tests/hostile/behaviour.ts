import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SourceInput } from '../../contract/sources/source'

/** A request to a hostile host, with what a behaviour needs to answer it. */
export interface Exchange {
  /** Includes the query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Earlier requests for this path. */
  previousRequests: number
  /** The host's own origin. */
  origin: string
  /** Origin of a listener in a private network, which must never be contacted. */
  witness: string
  random: () => number
  response: ServerResponse
  /** The connection, for answers that are not HTTP. */
  socket: Socket
}

export type Respond = (exchange: Exchange) => void

/** A way to treat a crawler badly: a small site, and the expected result. */
export interface Behaviour {
  name: string
  type: SourceInput['type']
  /** Where the source starts. */
  path?: string
  options?: Partial<SourceInput>
  respond: Respond
  /** 404 by default. */
  robots?: Respond
  /** Expected status of the source when it is idle, with its reason if it has one: 'fail too-large'. */
  source: string
  /** Expected states of addresses, by path. */
  addresses?: Record<string, string>
  /** Expected title of the start page. */
  title?: string
  /** Maximum number of requests. */
  maxRequests?: number
  /** Refreshes the source once; the expected statistics of the second run: 'unchanged 1'. */
  secondRun?: string
  /** Included in the tests of the product. */
  quick?: boolean
}

export function send(
  { response }: Exchange,
  {
    status = 200,
    headers = {},
    body = '',
  }: { status?: number; headers?: Record<string, string>; body?: string | Uint8Array },
): void {
  response.writeHead(status, headers).end(body)
}

/** Sends an HTML page, or any other type with `headers`. */
export function sendPage(exchange: Exchange, body: string | Uint8Array, headers: Record<string, string> = {}): void {
  send(exchange, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body })
}

export function sendXml(exchange: Exchange, body: string): void {
  send(exchange, { headers: { 'content-type': 'application/xml' }, body })
}

export function redirect(exchange: Exchange, location: string): void {
  send(exchange, { status: 302, headers: { location } })
}

/** The head of a raw response. */
export function rawHead(...lines: string[]): string {
  return ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=utf-8', ...lines, '', ''].join('\r\n')
}

/** Caches the result of the first call. */
export function once<T>(make: () => T): () => T {
  let created: { value: T } | undefined
  return () => {
    created ??= { value: make() }
    return created.value
  }
}

/** Sends chunks until the connection closes, as fast as possible or every `everyMs`. */
export function forever({ socket }: Exchange, chunk: () => string | Uint8Array, everyMs = 0): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(chunk()), everyMs)
    socket.on('close', () => clearInterval(timer))
    return
  }
  const more = () => {
    while (!socket.destroyed && socket.write(chunk()));
  }
  socket.on('drain', more)
  more()
}

const nounList =
  'anchor basket candle drawer engine fiddle garden hammer island jacket kettle ladder magnet needle orange'
const verbList = 'carries mends paints counts forgets polishes borrows weighs hides finds'
const nouns = nounList.split(' ')
const verbs = verbList.split(' ')

/** Sentences that hardly ever repeat. */
export function prose(random: () => number, sentences = 12): string {
  const any = (words: string[]) => words[Math.floor(random() * words.length)] ?? ''
  const sentence = () =>
    `The ${any(nouns)} number ${Math.floor(random() * 1e6)} ${any(verbs)} a ${any(nouns)} beside the ${any(nouns)}.`
  return Array.from({ length: sentences }, sentence).join(' ')
}

/** A page with its own text and links. */
export function pageOf(title: string, text: string, links: string[] = []): string {
  const items = links.map((link, index) => `<li><a href="${link}">Link ${index}</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${items}</ul></nav></body></html>`
}

/** Returns the same text for every request of a place on a host. */
export function proseAt(exchange: Exchange, place = exchange.path): string {
  let hash = 7
  for (const character of exchange.origin.slice(-3) + place)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  let step = hash >>> 0
  return prose(() => {
    step = (Math.imul(step, 1_664_525) + 1_013_904_223) >>> 0
    return step / 2 ** 32
  })
}
