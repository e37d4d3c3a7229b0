import { type Behaviour, pageOf, prose, proseAt, redirect, send, sendPage } from '../behaviour'

const url = { type: 'url', source: 'idle' } as const
const latin = (text: string) => Buffer.from(text, 'latin1')

/** Pages that are no text, hide it, or break those who read them. */
export const pages: Behaviour[] = [
  {
    name: 'soft 404',
    type: 'domain',
    source: 'idle',
    quick: true,
    addresses: { '/': 'idle', '/lost': 'fail soft-404' },
    answer: (ask) =>
      ask.path === '/'
        ? sendPage(ask, pageOf('Home', proseAt(ask), ['/lost']))
        : sendPage(ask, pageOf('404 - Page not found', 'Sorry, the page you are looking for could not be found.')),
  },
  {
    name: 'consent wall',
    type: 'url',
    source: 'fail consent-wall',
    quick: true,
    answer: (ask) =>
      sendPage(
        ask,
        '<!doctype html><title>Before you continue</title><main><h1>We value your privacy</h1><p>We and our partners use cookies. Please accept all cookies or manage your cookie preferences to continue.</p><button>Accept all</button><button>Reject all</button></main>',
      ),
  },
  {
    name: 'login wall',
    type: 'url',
    source: 'fail login-required',
    quick: true,
    answer: (ask) =>
      ask.path === '/login'
        ? sendPage(
            ask,
            '<!doctype html><title>Sign in</title><form method="post"><h1>Sign in</h1><input name="email"><input type="password" name="password"><button>Log in</button></form>',
          )
        : redirect(ask, '/login'),
  },
  {
    name: 'asks for a password',
    type: 'url',
    source: 'fail access-denied',
    answer: (ask) => send(ask, { status: 401 }),
  },
  {
    name: 'built by a script',
    type: 'url',
    source: 'fail needs-script',
    answer: (ask) =>
      sendPage(
        ask,
        `<!doctype html><title>App</title><div id="root"></div>${'<script src="/app.js"></script>'.repeat(8)}<script>${'window.x=1;'.repeat(4000)}</script>`,
      ),
  },
  { name: 'an empty answer', type: 'url', source: 'fail empty-page', answer: (ask) => sendPage(ask, '') },
  {
    name: 'a header that lies about the charset',
    ...url,
    title: 'Grüße aus Köln',
    answer: (ask) =>
      sendPage(ask, Buffer.from(`\ufeff${pageOf('Grüße aus Köln', proseAt(ask))}`), {
        'content-type': 'text/html; charset=iso-8859-1',
      }),
  },
  {
    name: 'a charset that nobody knows',
    ...url,
    title: 'Grüße aus Köln',
    answer: (ask) =>
      sendPage(ask, pageOf('Grüße aus Köln', proseAt(ask)), { 'content-type': 'text/html; charset=klingon-8' }),
  },
  {
    name: 'no charset at all',
    ...url,
    title: 'Grüße aus Köln',
    answer: (ask) => sendPage(ask, latin(pageOf('Grüße aus Köln', proseAt(ask))), { 'content-type': 'text/html' }),
  },
  {
    name: 'invalid UTF-8',
    ...url,
    quick: true,
    answer(ask) {
      const noise = Buffer.from(Array.from({ length: 3000 }, () => 128 + ask.random() * 128))
      sendPage(ask, Buffer.concat([Buffer.from(pageOf('Noise', proseAt(ask))), noise]))
    },
  },
  {
    name: 'zeros in the text',
    ...url,
    answer: (ask) => sendPage(ask, pageOf('Zeros', `\0\u0001${proseAt(ask).replaceAll(' ', '\0 ')}`)),
  },
  {
    name: 'a picture that says it is a page',
    type: 'url',
    source: 'fail not-html',
    answer(ask) {
      const noise = Array.from({ length: 20_000 }, () => ask.random() * 256)
      sendPage(ask, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise]))
    },
  },
  {
    name: 'a download without an end',
    type: 'url',
    source: 'fail not-html',
    answer(ask) {
      ask.response.writeHead(200, { 'content-type': 'video/mp4' })
      const more = () => {
        while (!ask.socket.destroyed && ask.response.write(Buffer.alloc(60_000, 7)));
      }
      ask.response.on('drain', more)
      more()
    },
  },
  {
    name: 'markup of 100,000 levels',
    ...url,
    quick: true,
    answer: (ask) => sendPage(ask, `<title>Deep</title>${'<div>'.repeat(100_000)}<p>${proseAt(ask)}</p>`),
  },
  {
    name: 'tables of 20,000 levels',
    ...url,
    answer: (ask) => sendPage(ask, `<title>Deep</title><p>${proseAt(ask)}</p>${'<table><tr><td>'.repeat(20_000)}x`),
  },
  {
    name: 'formatting that never closes',
    ...url,
    answer: (ask) => sendPage(ask, `<title>Open</title>${'<b><i><a href=x><p>'.repeat(20_000)}${proseAt(ask)}`),
  },
  {
    name: 'attributes of a megabyte',
    ...url,
    answer: (ask) =>
      sendPage(
        ask,
        pageOf('Wide', `<span class="${'a '.repeat(1e6)}" data-x='${'&amp;'.repeat(2e5)}'>${proseAt(ask)}</span>`),
      ),
  },
  {
    name: 'a comment that never ends',
    ...url,
    answer: (ask) => sendPage(ask, `${pageOf('Comment', proseAt(ask))}<!-- ${'- '.repeat(1e6)}`),
  },
  {
    name: 'a line of a million words',
    ...url,
    answer: (ask) => sendPage(ask, pageOf('Long', prose(ask.random, 20_000))),
  },
  {
    name: 'a word of two million letters',
    ...url,
    answer: (ask) => sendPage(ask, pageOf('Word', `${proseAt(ask)} ${'x'.repeat(2e6)}`)),
  },
  {
    name: 'a title of a megabyte',
    ...url,
    answer: (ask) => sendPage(ask, pageOf('Title '.repeat(170_000), proseAt(ask))),
  },
  {
    name: 'spaces without an end',
    ...url,
    answer: (ask) => sendPage(ask, pageOf('Spaces', `${proseAt(ask)}${' \n\t'.repeat(1e6)}.`)),
  },
  {
    name: 'canonical in a private network',
    ...url,
    answer: (ask) => sendPage(ask, `<link rel="canonical" href="${ask.witness}/">${pageOf('Canonical', proseAt(ask))}`),
  },
  {
    name: 'canonical in a circle',
    type: 'domain',
    source: 'idle',
    most: 12,
    answer(ask) {
      const other = ask.path === '/a' ? '/b' : '/a'
      sendPage(ask, `<link rel="canonical" href="${other}">${pageOf(`At ${ask.path}`, proseAt(ask), ['/a', '/b'])}`)
    },
  },
]
