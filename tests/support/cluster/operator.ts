import { createBrowser } from '../browser/browser'
import type { Site } from '../sites/site'
import type { Installation } from './installation'

/** A collection that crawls a site, in an organization of its own. Ids. */
export interface Crawl {
  organization: string
  collection: string
  source: string
}

/** The first person of an installation, who uses it through any of its apps. */
export interface Operator {
  token: string
  /** Throws an error with the response unless it succeeds. */
  call<Body>(method: string, path: string, body?: object, origin?: string): Promise<Body>
  crawl(name: string, site: Pick<Site, 'origin'>): Promise<Crawl>
  /** Links to what was found. */
  search(crawled: Crawl, query: string, origin?: string): Promise<string[]>
}

/** Creates the first account in a browser, each of whose requests another app serves, and its token. */
export async function signInOperator(cluster: Pick<Installation, 'origin' | 'command'>): Promise<Operator> {
  const browser = createBrowser()
  const form = await browser.open((await cluster.command('setup-link')).trim())
  const person = { email: 'ada@example.test', name: 'Ada', surname: 'L', password: 'correct horse battery' }
  const signedIn = await browser.submit(form, person)
  const { pathname } = new URL(signedIn.url)
  if (!pathname.startsWith('/onboarding')) throw new Error(`The sign-in led to ${pathname}.`)
  await cluster.command('users', 'promote', person.email)
  const token = (await cluster.command('token', 'create', person.email, '--name', 'test')).trim()

  const call: Operator['call'] = async (method, path, body, origin = cluster.origin) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }

  return {
    token,
    call,
    async crawl(name, site) {
      const created = { name, entity_name: '' }
      const { organization } = await call<{ organization: { id: string } }>('POST', '/v1/organizations', created)
      const named = { name: 'Pages', description: '' }
      const { collection } = await call<{ collection: { id: string } }>(
        ...(['POST', `/v1/${organization.id}/collections`, named] as const),
      )
      const added = { type: 'domain', url: site.origin }
      const { source } = await call<{ source: { id: string } }>(
        ...(['POST', `/v1/${organization.id}/sources/${collection.id}`, added] as const),
      )
      return { organization: organization.id, collection: collection.id, source: source.id }
    },
    async search({ organization, collection }, query, origin) {
      const parameters = new URLSearchParams({ collectionId: collection, query })
      const path = `/v1/${organization}/search?${parameters}`
      const { fragments } = await call<{ fragments: { link: string }[] }>('GET', path, undefined, origin)
      return fragments.map(({ link }) => link)
    },
  }
}
