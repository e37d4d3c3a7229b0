import { type Behaviour, pageOf, proseAt, type Respond, sendPage } from '../behaviour'

/** Every path is a page with its own text and links to more pages. */
const growing =
  (links: (path: string) => string[], text?: string): Respond =>
  (exchange) =>
    sendPage(exchange, pageOf(`Page ${exchange.path.slice(0, 40)}`, text ?? proseAt(exchange), links(exchange.path)))

const number = (path: string) => Number(/(\d+)\D*$/.exec(path)?.[1] ?? 0)
const total = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))
const sameWords = 'The shop opens at nine and closes at six on every day but Sunday, and nothing here ever changes.'

/** Sites without end. */
export const traps: Behaviour[] = [
  {
    name: 'endless calendar',
    type: 'domain',
    source: 'url-limit over-limit',
    maxRequests: 80,
    quick: true,
    options: { max_pages: 50 },
    respond: growing((path) => [`/calendar/${number(path) + 1}`, `/calendar/${number(path) + 2}`]),
  },
  {
    name: 'endless calendar of empty days',
    type: 'domain',
    source: 'idle',
    maxRequests: 120,
    respond(exchange) {
      const links = total(12, (day) => `/calendar?day=${number(exchange.path) + day + 1}`)
      sendPage(exchange, pageOf('Calendar', sameWords, links))
    },
  },
  {
    name: 'session ids in paths',
    type: 'domain',
    source: 'idle',
    maxRequests: 400,
    respond(exchange) {
      const session = Math.floor(exchange.random() * 1e12).toString(36)
      const links = total(6, (index) => `/s/${session}/page${index}`)
      sendPage(exchange, pageOf('Shop', `${sameWords} Page ${number(exchange.path)}.`, links))
    },
  },
  {
    name: 'session ids in queries',
    type: 'domain',
    source: 'idle',
    maxRequests: 400,
    respond(exchange) {
      const links = total(6, (index) => `/page${index}?sid=${Math.floor(exchange.random() * 1e12)}`)
      sendPage(exchange, pageOf('Shop', `${sameWords} Page ${number(exchange.path.split('?')[0] ?? '')}.`, links))
    },
  },
  {
    name: 'permutations of a query',
    type: 'domain',
    source: 'idle',
    maxRequests: 120,
    respond: (exchange) => sendPage(exchange, pageOf('List', sameWords, total(40, permutation))),
  },
  {
    name: 'repeating folders',
    type: 'domain',
    source: 'idle',
    maxRequests: 15,
    respond: growing((path) => [`${path === '/' ? '' : path}/again`]),
  },
  {
    name: 'endless folders',
    type: 'domain',
    source: 'idle',
    maxRequests: 60,
    respond: growing((path) => [`${path === '/' ? '' : path}/deeper${path.length}`]),
  },
  {
    name: 'addresses that grow',
    type: 'domain',
    source: 'idle',
    maxRequests: 30,
    respond: growing((path) => [`/${'x'.repeat(path.length + 300)}`]),
  },
  {
    name: 'a hundred thousand links on a page',
    type: 'domain',
    source: 'url-limit over-limit',
    maxRequests: 60,
    options: { max_pages: 40 },
    respond: growing((path) => (path === '/' ? total(100_000, (index) => `/page/${index}`) : [])),
  },
  {
    name: 'links to everything but pages',
    type: 'domain',
    source: 'idle',
    maxRequests: 12,
    respond: growing((path) =>
      path === '/'
        ? [
            'javascript:void(0)',
            'mailto:a@b.example',
            'tel:1',
            'data:text/html,x',
            '//',
            'http://',
            'http://[',
            '/%zz',
            '#',
            '',
          ]
        : [],
    ),
  },
  {
    name: 'links into private networks',
    type: 'domain',
    source: 'idle',
    maxRequests: 8,
    quick: true,
    respond: (exchange) =>
      sendPage(
        exchange,
        `<base href="${exchange.witness}/base/">${pageOf('Home', proseAt(exchange), ['page', `${exchange.witness}/x`, 'http://169.254.169.254/'])}`,
      ),
  },
]

/** Returns one of the orders of six parameters. */
function permutation(index: number): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  let rest = index * 17
  const order = []
  while (names.length > 0) {
    order.push(...names.splice(rest % names.length, 1))
    rest = Math.floor(rest / (names.length + 1)) + index
  }
  return `/list?${order.map((name) => `${name}=1`).join('&')}`
}
