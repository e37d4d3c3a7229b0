/** What a browser does between two pages, without one: cookies by path, redirects, forms, and where a request is from. */
export interface Visited {
  url: string
  status: number
  headers: Headers
  text: string
}

interface StoredCookie {
  name: string
  value: string
  path: string
  host: string
  attributes: string
}

export interface Browser {
  cookies: StoredCookie[]
  /** Every address that was asked for, in order. */
  trail: string[]
  open(url: string, init?: RequestInit): Promise<Visited>
  /** One request, no redirect followed. */
  ask(url: string, init?: RequestInit): Promise<Visited>
  /** Fills in and sends the page's form. */
  submit(page: Visited, values?: Record<string, string>): Promise<Visited>
}

/** `ownHeaders` go with each request, such as what a proxy says of the client. */
export function createBrowser(ownHeaders: Record<string, string> = {}): Browser {
  const cookies: StoredCookie[] = []
  const trail: string[] = []

  async function ask(url: string, init: RequestInit = {}): Promise<Visited> {
    const target = new URL(url)
    trail.push(url)
    const headers = new Headers({ ...ownHeaders, ...Object.fromEntries(new Headers(init.headers)) })
    const sent = cookies.filter((cookie) => cookie.host === target.host && isUnder(target.pathname, cookie.path))
    if (sent.length > 0) headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '))
    headers.set('accept', headers.get('accept') ?? 'text/html')
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) store(line, target)
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }

  async function open(url: string, init: RequestInit = {}): Promise<Visited> {
    let visited = await ask(url, init)
    for (let hops = 0; visited.headers.get('location'); hops++) {
      if (hops > 15) throw new Error(`Too many redirects: ${trail.slice(-5).join(' ')}`)
      visited = await ask(new URL(visited.headers.get('location') ?? '', visited.url).href)
    }
    return visited
  }

  function submit(page: Visited, values: Record<string, string> = {}): Promise<Visited> {
    const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(page.text)
    if (!form) throw new Error(`No form at ${page.url}: ${page.text.slice(0, 300)}`)
    const fields = new URLSearchParams()
    for (const [input] of form[2]?.matchAll(/<input[^>]*>/g) ?? []) {
      fields.set(attribute(input, 'name'), attribute(input, 'value'))
    }
    for (const [name, value] of Object.entries(values)) fields.set(name, value)
    const action = new URL(unescaped(form[1] ?? ''), page.url)
    return open(action.href, {
      method: 'POST',
      body: fields,
      headers: { origin: new URL(page.url).origin, 'sec-fetch-site': 'same-origin' },
    })
  }

  function store(line: string, from: URL): void {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/'
    const former = cookies.findIndex(
      (cookie) => cookie.name === name && cookie.path === path && cookie.host === from.host,
    )
    if (former >= 0) cookies.splice(former, 1)
    const gone = attributes.some(
      (text) => /^max-age=0$/i.test(text) || (/^expires=/i.test(text) && Date.parse(text.slice(8)) < Date.now()),
    )
    if (!gone) cookies.push({ name, value, path, host: from.host, attributes: attributes.join('; ') })
  }

  return { cookies, trail, open, ask, submit }
}

function isUnder(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith('/') ? parent : `${parent}/`)
}

function attribute(tag: string, name: string): string {
  return unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
