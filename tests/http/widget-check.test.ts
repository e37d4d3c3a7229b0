import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { widgetSnippet } from '../../contract/texts/widget-snippet'
import { type Actor, system } from '../../server/actor'
import { createSafeFetch } from '../../server/adapters/fetch/safe-fetch'
import type { Fetcher } from '../../server/engine/ports/fetcher'
import type { AgentRef } from '../../server/services/agents/agents'
import { createFairTurns } from '../../server/services/usage/fair-turns'
import { createWidgetCheck } from '../../server/services/widget/widget-check'
import { type Site, startSite } from '../support/sites/site'
import { startWebSite, type WebSite } from '../support/web/web-site'

/** Answers as the site does, at an address that is encrypted. */
const encrypted = 'https://shop.example'

describe('the widget check', () => {
  let server: WebSite
  let site: Site
  let ref: AgentRef
  let key = ''
  let formerKey = ''
  let privateKey = ''
  let fetcher: Fetcher & { close(): Promise<void> }
  let checkWidget: ReturnType<typeof createWidgetCheck>

  beforeAll(async () => {
    server = await startWebSite({})
    site = await startSite({})
    const { organizations, agents, keychains } = server.app.services
    const organizationId = (await organizations.create(system, { name: 'Fennel', entity_name: '' })).id
    const named = { name: 'Lamp helper', description: '', useDefaults: false }
    ref = { organizationId, agentId: (await agents.create(system, organizationId, named)).id }
    formerKey = (await keychains.save(system, ref, { regenerate: false })).public_key
    const keys = await keychains.save(system, ref, { regenerate: 'public' })
    key = keys.public_key
    privateKey = keys.private_key
    fetcher = createSafeFetch({
      allowPrivateNetworks: ['127.0.0.1'],
      userAgent: 'Sitelore test',
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    checkWidget = createWidgetCheck({
      db: server.app.db,
      fetcher: { fetch: asEncrypted },
      publicUrl: server.origin,
      agents,
      turns: createFairTurns('checks', { concurrency: 4, perOrganization: 1, maxWaiting: 1, retryAfterSeconds: 1 }),
    })
  })
  afterAll(async () => {
    await fetcher.close()
    await site.close()
    await server.close()
  })

  async function asEncrypted(...[request, signal]: Parameters<Fetcher['fetch']>) {
    if (!request.url.startsWith(encrypted)) return fetcher.fetch(request, signal)
    const outcome = await fetcher.fetch({ ...request, url: request.url.replace(encrypted, site.origin) }, signal)
    return outcome.kind === 'fetched' ? { ...outcome, url: outcome.url.replace(site.origin, encrypted) } : outcome
  }

  const tag = (changed: { key?: string; from?: string } = {}) =>
    widgetSnippet(changed.from ?? server.origin, changed.key ?? key)
  const pageWith = (body: string) => `<!doctype html><title>Lamps</title><p>All of our lamps.</p>${body}`
  const allow = (allowedOrigins: string) =>
    server.app.services.keychains.save(system, ref, { regenerate: false, allowedOrigins })

  async function check(address = `${site.origin}/`, { actor = system as Actor, signal = AbortSignal.any([]) } = {}) {
    const { findings, ...page } = await checkWidget(actor, ref, { site: address, loaderHash: null }, signal)
    const problems = findings.filter(({ isProblem }) => isProblem)
    return { ...page, problems: problems.map((finding) => finding.check), message: problems[0]?.message ?? '' }
  }

  it('finds nothing wrong with the snippet on a page', async () => {
    site.set('/', pageWith(tag()))
    expect(await check()).toEqual({ url: `${site.origin}/`, origin: site.origin, problems: [], message: '' })
  })

  it.each([
    ['no tag', () => pageWith(''), 'loader', 'paste the tag above'],
    ['a wrong key', () => pageWith(tag({ key: 'sitelore_public_of_nobody' })), 'key', 'no agent of your organization'],
    ['a regenerated key', () => pageWith(tag({ key: formerKey })), 'key', 'stopped working'],
    ['a private key', () => pageWith(tag({ key: privateKey })), 'key', 'regenerate the private key'],
    ['another PUBLIC_URL', () => pageWith(tag({ from: server.listening })), 'loader', 'whose PUBLIC_URL is'],
    [
      'a policy without the script',
      () => `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">${pageWith(tag())}`,
      ...(['policy', 'to script-src,'] as const),
    ],
  ])('finds %s', async (_, page, problem, message) => {
    site.set('/', page())
    const found = await check()
    expect(found.problems).toEqual([problem])
    expect(found.message).toContain(message)
  })

  it('finds an unencrypted widget on an encrypted page', async () => {
    site.set('/', pageWith(tag({ from: 'http://ask.example.com' })))
    expect(await check(`${encrypted}/`)).toMatchObject({ problems: ['loader'], url: `${encrypted}/` })
  })

  it('finds an origin that is not allowed, and takes the one after redirects', async () => {
    const moved = await startSite({ '/': { status: 301, headers: { location: `${site.origin}/` } } })
    site.set('/', pageWith(tag()))
    await allow(moved.origin)
    expect(await check(`${moved.origin}/`)).toMatchObject({
      ...{ url: `${site.origin}/`, origin: site.origin, problems: ['origin'] },
      message: `The public key does not accept pages of ${site.origin}: add this origin to the allowed ones.`,
    })
    await allow('')
    await moved.close()
  })

  it.each([
    ['a page that is missing', { status: 404, body: '' }, 'responds with the status 404.'],
    ['something else than a page', { headers: { 'content-type': 'image/png' }, body: 'x' }, 'is not a web page.'],
  ])('says so of %s', async (_, page, message) => {
    site.set('/', page)
    await expect(check()).rejects.toMatchObject({ code: 'invalid_input', message: `${site.origin}/ ${message}` })
  })

  it('reads no page of a private network that is not allowed', async () => {
    await expect(check('http://10.1.2.3/')).rejects.toMatchObject({ message: expect.stringContaining('private') })
  })

  it('is for those who may edit the keys', async () => {
    const memberships = [{ organizationId: ref.organizationId, role: 'member' as const }]
    const actor = { kind: 'person' as const, userId: 'somebody', staff: false, memberships }
    await expect(check(undefined, { actor })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('ends at once when it is cancelled, and gives its turn to the next', async () => {
    site.set('/', { delayMs: 'never' })
    const cancelled = new AbortController()
    const running = check(undefined, { signal: cancelled.signal })
    await expect.poll(() => site.visited()).toContain('/')
    cancelled.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    site.set('/', pageWith(tag()))
    expect((await check()).problems).toEqual([])
  })
})
