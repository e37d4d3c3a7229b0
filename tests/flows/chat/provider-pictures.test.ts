import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maxPictureBytes } from '../../../contract/values/limits'
import { organizations } from '../../../db/schema/organizations'
import { system } from '../../../server/actor'
import type { Fetcher, FetchOutcome, FetchRequest } from '../../../server/engine/ports/fetcher'
import { type Browser, createBrowser } from '../../support/browser/browser'
import { jpegPicture, pngPicture, svgPicture } from '../../support/files/pictures'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/people/openid-provider'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = { sub: 'x|ada', email: 'ada@example.test', email_verified: true, given_name: 'Ada' }
const picture = 'https://pictures.example/ada.png'

let provider: OpenIdProvider
let site: WebSite
let requests: FetchRequest[] = []
let respond: (request: FetchRequest) => Promise<FetchOutcome> = async () => found(pngPicture)
const fetcher: Fetcher = {
  fetch(request) {
    requests.push(request)
    return respond(request)
  },
}

function found(body: Uint8Array, status = 200): FetchOutcome {
  return { kind: 'fetched', url: picture, status, headers: {}, body, redirectedFrom: [], tookMs: 1 }
}

beforeAll(async () => {
  provider = await startOpenIdProvider()
  const settings = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  }
  site = await startWebSite(await pageRoutes(), settings, { fetcher })
  await signIn({}, (await site.app.identity.setupLink()) ?? '')
})
beforeEach(() => {
  requests = []
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

async function signIn(claims: Record<string, unknown>, start = `${site.origin}/login`): Promise<Browser> {
  provider.script = { claims: { ...ada, ...claims } }
  const browser = createBrowser()
  await browser.open(start)
  return browser
}

async function pictureAfter(claims: Record<string, unknown>) {
  await signIn(claims)
  await site.app.services.pictures.settled()
  const [user] = await site.app.services.accounts.list(system)
  return user?.picture ?? null
}

it('does not fetch a picture that the provider does not name, or not by https', async () => {
  expect(await pictureAfter({})).toBeNull()
  for (const address of ['http://pictures.example/a.png', 'data:image/png;base64,AAAA', '/a.png', 'x'])
    expect(await pictureAfter({ picture: address })).toBeNull()
  expect(requests).toEqual([])
})

it.each([
  ['is of another type, whatever its headers', async () => found(svgPicture)],
  ['is too large', async () => found(Buffer.concat([pngPicture, Buffer.alloc(maxPictureBytes)]))],
  ['is missing', async () => found(pngPicture, 404)],
  ['is refused', async (): Promise<FetchOutcome> => ({ kind: 'refused', reason: 'private-address', message: 'No.' })],
  ['fails', () => Promise.reject(new Error('broken'))],
])('does not take a picture that %s', async (_what, response) => {
  respond = response
  expect(await pictureAfter({ picture })).toBeNull()
  expect(requests).toHaveLength(1)
})

// contract 2c.3: The provider's https picture is shown, too
it('fetches the picture once at a sign-in, follows redirects to https only, and serves it itself', async () => {
  respond = async () => found(pngPicture)
  const browser = await signIn({ picture })
  await site.app.services.pictures.settled()
  expect(requests).toMatchObject([{ url: picture, kind: 'picture' }])
  const [request] = requests
  expect(await request?.mayFollow?.('https://cdn.example/a.png', 302)).toBe(true)
  expect(await request?.mayFollow?.('http://cdn.example/a.png', 302)).toBe(false)
  const [user] = await site.app.services.accounts.list(system)
  const served = await browser.ask(site.origin + user?.picture)
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
  const landing = await browser.ask(`${site.origin}/`)
  expect(landing.headers.get('content-security-policy')).toContain("img-src 'self'")
  expect(landing.headers.get('content-security-policy')).not.toContain('pictures.example')
})

it('keeps the picture at a sign-in without one, and replaces it with a new one', async () => {
  const before = await pictureAfter({})
  expect(before).toContain('/picture/')
  respond = async () => found(jpegPicture)
  const after = await pictureAfter({ picture })
  expect(after).toContain('/picture/')
  expect(after).not.toBe(before)
})

it('does not delay the sign-in', async () => {
  let release = (_outcome: FetchOutcome) => {}
  respond = () =>
    new Promise((resolve) => {
      release = resolve
    })
  const browser = await signIn({ picture })
  expect((await browser.ask(`${site.origin}/onboarding/organization`)).status).toBe(200)
  release(found(pngPicture))
  await site.app.services.pictures.settled()
})

it('never replaces a picture that the person chose, or removed, also during the fetch', async () => {
  const [user] = await site.app.services.accounts.list(system)
  const actor = { kind: 'person' as const, userId: user?.id ?? '', staff: true, memberships: [] }
  respond = async () => {
    await site.app.services.pictures.save(actor, jpegPicture)
    return found(pngPicture)
  }
  const chosen = await pictureAfter({ picture })
  expect((await site.app.services.pictures.get(actor, actor.userId)).mediaType).toBe('image/jpeg')
  requests = []
  expect(await pictureAfter({ picture })).toBe(chosen)
  expect(requests).toEqual([])
  await site.app.services.pictures.remove(actor)
  expect(await pictureAfter({ picture })).toBeNull()
})

it('says that the name comes from the provider, which keeps the password', async () => {
  const browser = await signIn({})
  const actor = { kind: 'person' as const, userId: '', staff: true, memberships: [] }
  const [user] = await site.app.services.accounts.list(system)
  await site.app.services.organizations.create({ ...actor, userId: user?.id ?? '' }, { name: 'Lamps', entity_name: '' })
  await site.app.db.writeOne((tx) => tx.update(organizations).set({ onboarding: {}, onboardedAt: new Date() }))
  const page = (await browser.open(`${site.origin}/dashboard/account.data`)).text
  expect(page).toContain(new URL(provider.issuer).host)
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const request = new Request(site.origin, { headers: { cookie } })
  const { account } = site.app.identity
  await expect(account.rename(request, { name: 'A', surname: 'B' })).rejects.toMatchObject({ code: 'conflict' })
  const change = { current_password: 'x', new_password: 'a new long password' }
  await expect(account.changePassword(request, '127.0.0.1', change)).rejects.toMatchObject({ code: 'conflict' })
  expect(await account.sessions(request)).not.toEqual([])
})
