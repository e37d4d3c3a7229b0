import { type Behaviour, pageOf, prose, proseAt, redirect, send, sendPage } from '../behaviour'

const url = { type: 'url', source: 'idle' } as const
const latin = (text: string) => Buffer.from(text, 'latin1')

/** Pages that are not text, hide it, or break their readers. */
export const pages: Behaviour[] = [
  {
    name: 'soft 404',
    type: 'domain',
    source: 'idle',
    quick: true,
    addresses: { '/': 'idle', '/lost': 'fail soft-404' },
    respond: (exchange) =>
      exchange.path === '/'
        ? sendPage(exchange, pageOf('Home', proseAt(exchange), ['/lost']))
        : sendPage(exchange, pageOf('404 - Page not found', 'Sorry, the page you are looking for could not be found.')),
  },
  {
    name: 'consent wall',
    type: 'url',
    source: 'fail consent-wall',
    quick: true,
    respond: (exchange) =>
      sendPage(
        exchange,
        '<!doctype html><title>Before you continue</title><main><h1>We value your privacy</h1><p>We and our partners use cookies. Please accept all cookies or manage your cookie preferences to continue.</p><button>Accept all</button><button>Reject all</button></main>',
      ),
  },
  {
    name: 'login wall',
    type: 'url',
    source: 'fail login-required',
    quick: true,
    respond: (exchange) =>
      exchange.path === '/login'
        ? sendPage(
            exchange,
            '<!doctype html><title>Sign in</title><form method="post"><h1>Sign in</h1><input name="email"><input type="password" name="password"><button>Log in</button></form>',
          )
        : redirect(exchange, '/login'),
  },
  {
    name: 'requires a password',
    type: 'url',
    source: 'fail access-denied',
    respond: (exchange) => send(exchange, { status: 401 }),
  },
  {
    name: 'built by a script',
    type: 'url',
    source: 'fail needs-script',
    respond: (exchange) =>
      sendPage(
        exchange,
        `<!doctype html><title>App</title><div id="root"></div>${'<script src="/app.js"></script>'.repeat(8)}<script>${'window.x=1;'.repeat(4000)}</script>`,
      ),
  },
  { name: 'an empty answer', type: 'url', source: 'fail empty-page', respond: (exchange) => sendPage(exchange, '') },
  {
    name: 'a header with a wrong charset',
    ...url,
    title: 'Grüße aus Köln',
    respond: (exchange) =>
      sendPage(exchange, Buffer.from(`\ufeff${pageOf('Grüße aus Köln', proseAt(exchange))}`), {
        'content-type': 'text/html; charset=iso-8859-1',
      }),
  },
  {
    name: 'an unknown charset',
    ...url,
    title: 'Grüße aus Köln',
    respond: (exchange) =>
      sendPage(exchange, pageOf('Grüße aus Köln', proseAt(exchange)), {
        'content-type': 'text/html; charset=klingon-8',
      }),
  },
  {
    name: 'no charset at all',
    ...url,
    title: 'Grüße aus Köln',
    respond: (exchange) =>
      sendPage(exchange, latin(pageOf('Grüße aus Köln', proseAt(exchange))), { 'content-type': 'text/html' }),
  },
  {
    name: 'invalid UTF-8',
    ...url,
    quick: true,
    respond(exchange) {
      const noise = Buffer.from(Array.from({ length: 3000 }, () => 128 + exchange.random() * 128))
      sendPage(exchange, Buffer.concat([Buffer.from(pageOf('Noise', proseAt(exchange))), noise]))
    },
  },
  {
    name: 'null characters in the text',
    ...url,
    respond: (exchange) => sendPage(exchange, pageOf('Zeros', `\0\u0001${proseAt(exchange).replaceAll(' ', '\0 ')}`)),
  },
  {
    name: 'an image declared as a page',
    type: 'url',
    source: 'fail not-html',
    respond(exchange) {
      const noise = Array.from({ length: 20_000 }, () => exchange.random() * 256)
      sendPage(exchange, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise]))
    },
  },
  {
    name: 'an endless download',
    type: 'url',
    source: 'fail not-html',
    respond(exchange) {
      exchange.response.writeHead(200, { 'content-type': 'video/mp4' })
      const more = () => {
        while (!exchange.socket.destroyed && exchange.response.write(Buffer.alloc(60_000, 7)));
      }
      exchange.response.on('drain', more)
      more()
    },
  },
  {
    name: 'markup of 100,000 levels',
    ...url,
    quick: true,
    respond: (exchange) =>
      sendPage(exchange, `<title>Deep</title>${'<div>'.repeat(100_000)}<p>${proseAt(exchange)}</p>`),
  },
  {
    name: 'tables of 20,000 levels',
    ...url,
    respond: (exchange) =>
      sendPage(exchange, `<title>Deep</title><p>${proseAt(exchange)}</p>${'<table><tr><td>'.repeat(20_000)}x`),
  },
  {
    name: 'formatting that never closes',
    ...url,
    respond: (exchange) =>
      sendPage(exchange, `<title>Open</title>${'<b><i><a href=x><p>'.repeat(20_000)}${proseAt(exchange)}`),
  },
  {
    name: 'attributes of a megabyte',
    ...url,
    respond: (exchange) =>
      sendPage(
        exchange,
        pageOf('Wide', `<span class="${'a '.repeat(1e6)}" data-x='${'&amp;'.repeat(2e5)}'>${proseAt(exchange)}</span>`),
      ),
  },
  {
    name: 'a comment that never ends',
    ...url,
    respond: (exchange) => sendPage(exchange, `${pageOf('Comment', proseAt(exchange))}<!-- ${'- '.repeat(1e6)}`),
  },
  {
    name: 'a line of a million words',
    ...url,
    respond: (exchange) => sendPage(exchange, pageOf('Long', prose(exchange.random, 20_000))),
  },
  {
    name: 'a word of two million letters',
    ...url,
    respond: (exchange) => sendPage(exchange, pageOf('Word', `${proseAt(exchange)} ${'x'.repeat(2e6)}`)),
  },
  {
    name: 'a title of a megabyte',
    ...url,
    respond: (exchange) => sendPage(exchange, pageOf('Title '.repeat(170_000), proseAt(exchange))),
  },
  {
    name: 'endless spaces',
    ...url,
    respond: (exchange) => sendPage(exchange, pageOf('Spaces', `${proseAt(exchange)}${' \n\t'.repeat(1e6)}.`)),
  },
  {
    name: 'canonical in a private network',
    ...url,
    respond: (exchange) =>
      sendPage(exchange, `<link rel="canonical" href="${exchange.witness}/">${pageOf('Canonical', proseAt(exchange))}`),
  },
  {
    name: 'canonical in a circle',
    type: 'domain',
    source: 'idle',
    maxRequests: 12,
    respond(exchange) {
      const second = exchange.path === '/a' ? '/b' : '/a'
      sendPage(
        exchange,
        `<link rel="canonical" href="${second}">${pageOf(`At ${exchange.path}`, proseAt(exchange), ['/a', '/b'])}`,
      )
    },
  },
]
