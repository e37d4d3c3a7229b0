import { type Answer, type Behaviour, pageOf, proseAt, sendPage } from '../behaviour'

/** Every path is a page with text of its own, and leads to more of them. */
const growing =
  (links: (path: string) => string[], text?: string): Answer =>
  (ask) =>
    sendPage(ask, pageOf(`Page ${ask.path.slice(0, 40)}`, text ?? proseAt(ask), links(ask.path)))

const number = (path: string) => Number(/(\d+)\D*$/.exec(path)?.[1] ?? 0)
const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))
const sameWords = 'The shop opens at nine and closes at six on every day but Sunday, and nothing here ever changes.'

/** Sites without an end. */
export const traps: Behaviour[] = [
  {
    name: 'endless calendar',
    type: 'domain',
    source: 'url-limit over-limit',
    most: 80,
    quick: true,
    options: { max_pages: 50 },
    answer: growing((path) => [`/calendar/${number(path) + 1}`, `/calendar/${number(path) + 2}`]),
  },
  {
    name: 'endless calendar of empty days',
    type: 'domain',
    source: 'idle',
    most: 120,
    answer(ask) {
      const links = many(12, (day) => `/calendar?day=${number(ask.path) + day + 1}`)
      sendPage(ask, pageOf('Calendar', sameWords, links))
    },
  },
  {
    name: 'session ids in paths',
    type: 'domain',
    source: 'idle',
    most: 400,
    answer(ask) {
      const session = Math.floor(ask.random() * 1e12).toString(36)
      const links = many(6, (index) => `/s/${session}/page${index}`)
      sendPage(ask, pageOf('Shop', `${sameWords} Page ${number(ask.path)}.`, links))
    },
  },
  {
    name: 'session ids in queries',
    type: 'domain',
    source: 'idle',
    most: 400,
    answer(ask) {
      const links = many(6, (index) => `/page${index}?sid=${Math.floor(ask.random() * 1e12)}`)
      sendPage(ask, pageOf('Shop', `${sameWords} Page ${number(ask.path.split('?')[0] ?? '')}.`, links))
    },
  },
  {
    name: 'permutations of a query',
    type: 'domain',
    source: 'idle',
    most: 120,
    answer: (ask) => sendPage(ask, pageOf('List', sameWords, many(40, permutation))),
  },
  {
    name: 'the same folder in itself',
    type: 'domain',
    source: 'idle',
    most: 15,
    answer: growing((path) => [`${path === '/' ? '' : path}/again`]),
  },
  {
    name: 'folders without an end',
    type: 'domain',
    source: 'idle',
    most: 60,
    answer: growing((path) => [`${path === '/' ? '' : path}/deeper${path.length}`]),
  },
  {
    name: 'addresses that grow',
    type: 'domain',
    source: 'idle',
    most: 30,
    answer: growing((path) => [`/${'x'.repeat(path.length + 300)}`]),
  },
  {
    name: 'a hundred thousand links on a page',
    type: 'domain',
    source: 'url-limit over-limit',
    most: 60,
    options: { max_pages: 40 },
    answer: growing((path) => (path === '/' ? many(100_000, (index) => `/page/${index}`) : [])),
  },
  {
    name: 'links to everything but pages',
    type: 'domain',
    source: 'idle',
    most: 12,
    answer: growing((path) =>
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
    most: 8,
    quick: true,
    answer: (ask) =>
      sendPage(
        ask,
        `<base href="${ask.witness}/base/">${pageOf('Home', proseAt(ask), ['page', `${ask.witness}/x`, 'http://169.254.169.254/'])}`,
      ),
  },
]

/** One of the orders of six parameters. */
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
