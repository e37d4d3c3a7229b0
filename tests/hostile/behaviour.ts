import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SourceInput } from '../../contract/source'

/** One request to a hostile host, and what its answer may be made of. */
export interface Ask {
  /** With the query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** How often this path was asked for before. */
  times: number
  /** Of the host itself. */
  origin: string
  /** A listener in a network that is not allowed. */
  witness: string
  random: () => number
  response: ServerResponse
  /** The connection itself, for what is no HTTP. */
  socket: Socket
}

export type Answer = (ask: Ask) => void

/** One way to treat a crawler badly: a small site of its own, and what must come of it. */
export interface Behaviour {
  name: string
  type: SourceInput['type']
  /** Where the source starts. */
  path?: string
  options?: Partial<SourceInput>
  answer: Answer
  /** The default has none (404). */
  robots?: Answer
  /** Status of the source at rest, and its reason where it has one: 'fail too-large'. */
  source: string
  /** The same of single addresses, by path. */
  addresses?: Record<string, string>
  /** What is stored as the title of the start page. */
  title?: string
  /** No more requests than this. */
  most?: number
  /** It is refreshed once, and this is what the second run reports: 'unchanged 1'. */
  second?: string
  /** Part of the short form in the tests. */
  quick?: boolean
}

export function send(
  { response }: Ask,
  {
    status = 200,
    headers = {},
    body = '',
  }: { status?: number; headers?: Record<string, string>; body?: string | Uint8Array },
): void {
  response.writeHead(status, headers).end(body)
}

/** An HTML page, or with `headers` something else. */
export function sendPage(ask: Ask, body: string | Uint8Array, headers: Record<string, string> = {}): void {
  send(ask, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body })
}

export function sendXml(ask: Ask, body: string): void {
  send(ask, { headers: { 'content-type': 'application/xml' }, body })
}

export function redirect(ask: Ask, location: string): void {
  send(ask, { status: 302, headers: { location } })
}

/** What stands in the head of a raw answer. */
export function rawHead(...lines: string[]): string {
  return ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=utf-8', ...lines, '', ''].join('\r\n')
}

/** What `make` gives, made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Sends a piece again and again, as fast as it is taken or once in `everyMs`, until nobody listens. */
export function forever({ socket }: Ask, piece: () => string | Uint8Array, everyMs = 0): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(piece()), everyMs)
    socket.on('close', () => clearInterval(timer))
    return
  }
  const more = () => {
    while (!socket.destroyed && socket.write(piece()));
  }
  socket.on('drain', more)
  more()
}

const things =
  'anchor basket candle drawer engine fiddle garden hammer island jacket kettle ladder magnet needle orange'
const does = 'carries mends paints counts forgets polishes borrows weighs hides finds'
const nouns = things.split(' ')
const verbs = does.split(' ')

/** Sentences that another draw hardly repeats. */
export function prose(random: () => number, sentences = 12): string {
  const any = (words: string[]) => words[Math.floor(random() * words.length)] ?? ''
  const sentence = () =>
    `The ${any(nouns)} number ${Math.floor(random() * 1e6)} ${any(verbs)} a ${any(nouns)} beside the ${any(nouns)}.`
  return Array.from({ length: sentences }, sentence).join(' ')
}

/** A page with text of its own and these links. */
export function pageOf(title: string, text: string, links: string[] = []): string {
  const items = links.map((link, index) => `<li><a href="${link}">Link ${index}</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main><nav><ul>${items}</ul></nav></body></html>`
}

/** The same text whenever it is asked for: of this place on this host. */
export function proseAt(ask: Ask, place = ask.path): string {
  let hash = 7
  for (const sign of ask.origin.slice(-3) + place) hash = Math.imul(hash ^ sign.charCodeAt(0), 0x01000193)
  let step = hash >>> 0
  return prose(() => {
    step = (Math.imul(step, 1_664_525) + 1_013_904_223) >>> 0
    return step / 2 ** 32
  })
}
