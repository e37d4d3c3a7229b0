import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { shownOrganizationField } from '../../../app/components/ui/forms/organization-form'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import { accounts, passkeys, users } from '../../../db/schema/users'
import { type Actor, system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { createPasswords } from '../../../server/identity/embedded/passwords/passwords'
import { hashToken, randomToken } from '../../../server/tokens'
import { type ApiIds, pathOf } from '../api/api-endpoint'
import { type ApiWorld, type Caller, startApiWorld } from '../api/api-world'
import { pngPicture } from '../files/pictures'
import { startSession } from '../people/credentials'
import { createPerson } from '../people/people'
import { startSmtpSink } from '../people/smtp-sink'
import { createSoftPasskey } from '../people/soft-passkey'
import { routeTree } from '../web/route-tree'
import { nothingOwn, type OwnThings, ownPassword, type PageCall } from './page-call'

const answers = {
  goals: ['just_trying'],
  sector: 'retail',
  position: 'sales',
  size: 'Solo (1)' as const,
  source: 'search' as const,
}

export interface PageResponse {
  status: number
  location: string | null
  /** The notifications that a redirect carries, without what differs each time. */
  notifications: { type: string; title: string; message?: string }[]
  text: string
}

export interface Entered {
  caller: Caller
  /** Null for callers without a session. */
  cookie: string | null
  own: OwnThings
  /** The organization that the caller has selected. */
  organization: string | null
}

export interface PageWorld extends ApiWorld {
  /** Puts a caller in the place where the call is made. */
  enter(caller: Caller, call: PageCall): Promise<Entered>
  /** As from a page that shows the organization `shown`, by default the selected one. */
  ask(entered: Entered, call: PageCall, ids: ApiIds, as?: 'page' | 'data', shown?: string | null): Promise<PageResponse>
}

/** The whole product with all its routes, with two organizations that have something of everything. */
export async function startPageWorld(): Promise<PageWorld> {
  const sink = await startSmtpSink()
  const settings = { SMTP_URL: sink.url, MAIL_FROM: 'ask@example.test', TRUSTED_PROXIES: 'loopback' }
  const world = await startApiWorld(await routeTree(), settings)
  const { app, own, foreign, credentials } = world
  for (const { organization } of [own, foreign]) await app.services.organizations.onboard(system, organization, answers)
  // The first person who opens a thread marks its answers as read.
  await app.services.threads.open(system, { organizationId: own.organization, threadId: own.thread })
  let requests = 0
  let asked = 0

  /** Strangers are administrators where they belong. */
  function roleOf(caller: Caller): OrganizationRole | null {
    if (caller === 'viewer' || caller === 'member' || caller === 'admin') return caller
    return caller === 'stranger' || caller === 'platform' ? 'admin' : null
  }

  async function organizationFor(caller: Caller, place: PageCall['place']): Promise<string | null> {
    if (place === 'none') return null
    if (place === 'fresh' || place === 'waiting') {
      const input = { name: 'Of one caller', entity_name: '' }
      const { id } = await app.services.organizations.create(system, input)
      if (place === 'fresh') await app.services.organizations.onboard(system, id, answers)
      // Somebody else administers it, so that the caller can leave.
      await createPerson(app, { [id]: 'admin' })
      return id
    }
    return caller === 'stranger' || caller === 'platform' ? foreign.organization : own.organization
  }

  async function enter(caller: Caller, { place = 'shared', spendsCaller }: PageCall): Promise<Entered> {
    const role = roleOf(caller)
    const isShared = place === 'shared' && !spendsCaller
    const organization = role === null && !isShared ? null : await organizationFor(caller, place)
    if (role === null || isShared) return { caller, cookie: credentials[caller].cookie, own: nothingOwn, organization }
    const roles = organization === null ? {} : { [organization]: role }
    const person = await createPerson(app, roles, { staff: caller === 'platform' })
    const own = spendsCaller ? await giveThings(app, person, world.origin) : nothingOwn
    return { caller, cookie: await startSession(app, person, organization), own, organization }
  }

  async function ask(
    { caller, cookie, own, organization }: Entered,
    call: PageCall,
    ids: ApiIds,
    as: 'page' | 'data' = 'page',
    shown: string | null = organization,
  ): Promise<PageResponse> {
    const headers = new Headers({ origin: world.origin, 'sec-fetch-site': 'same-origin', accept: 'text/html' })
    if (cookie) headers.set('cookie', cookie)
    const { bearer } = credentials[caller]
    if (bearer) headers.set('authorization', `Bearer ${bearer}`)
    // Each from a network of its own, because passwords are counted by network.
    headers.set('x-forwarded-for', `198.51.${Math.floor(++asked / 250)}.${asked % 250}`)
    const url = new URL(pathOf(call, ids), world.origin)
    if (as === 'data') url.pathname += '.data'
    const body = call.method === 'POST' ? bodyOf(call, ids, String(++requests), own) : null
    if (shown !== null) (call.streamsBody ? url.searchParams : body)?.set(shownOrganizationField, shown)
    const response = await fetch(url, { method: call.method, headers, redirect: 'manual', body })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') && call.method === 'GET'
    if (isStream) await response.body?.cancel()
    return {
      status: response.status,
      location: response.headers.get('location'),
      notifications: notificationsIn(response.headers.getSetCookie()),
      text: isStream ? '' : await response.text(),
    }
  }

  async function close() {
    await world.close()
    await sink.close()
  }

  return { ...world, enter, ask, close }
}

/**
 * A password, a picture, another session, an access token, a link for another e-mail address, a passkey, and what a new one
 * and an authenticator app need.
 */
async function giveThings(
  app: App,
  person: Actor & { kind: 'person'; email: string },
  origin: string,
): Promise<OwnThings> {
  const { userId, email } = person
  passwordHash ??= createPasswords().hash(ownPassword)
  const emailToken = randomToken()
  const account = {
    id: userId,
    email,
    emailNormalized: email,
    passwordHash: await passwordHash,
    pendingEmail: `new-${email}`,
    pendingEmailToken: hashToken(emailToken),
    pendingEmailExpiresAt: new Date(Date.now() + 60_000),
  }
  await app.db.write(async (tx) => {
    await tx.insert(accounts).values(account)
    const secondFactorSince = new Date()
    await tx.update(users).set({ issuer: 'embedded', subject: userId, secondFactorSince }).where(eq(users.id, userId))
    await tx
      .insert(passkeys)
      .values({ id: `passkey-${userId}`, accountId: userId, name: 'Phone', publicKey: Buffer.from('key'), counter: 0 })
  })
  await app.services.pictures.save(person, pngPicture)
  const input = { name: 'Own', role: null, organization_id: null, days: 1 }
  const { id: token } = await app.services.accessTokens.create(system, userId, input)
  const cookie = await startSession(app, person, null)
  const request = new Request(origin, { headers: { cookie } })
  const proof = { current_password: ownPassword }
  const { setup, secret } = await app.identity.secondFactor.offerAuthenticator(request, userId, proof)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const offer = await app.identity.secondFactor.offerPasskey(request, userId, { ...proof, name: 'Key' })
  const credential = createSoftPasskey(origin).create(JSON.parse(offer.options))
  return {
    session: hashToken(cookie.split('=')[1] ?? ''),
    token,
    emailToken,
    authenticator: { setup, code },
    passkey: `passkey-${userId}`,
    newPasskey: { setup: offer.setup, credential },
  }
}

let passwordHash: Promise<string> | undefined

function bodyOf(
  { intent, fields, upload }: PageCall,
  ids: ApiIds,
  unique: string,
  own: OwnThings,
): URLSearchParams | FormData {
  const body = upload ? new FormData() : new URLSearchParams()
  if (intent) body.set('intent', intent)
  for (const [name, value] of Object.entries(fields?.(ids, unique, own) ?? {})) body.set(name, value)
  if (upload && body instanceof FormData)
    body.set(upload.field ?? 'file', new File([upload.content(unique)], upload.name))
  return body
}

/** Remix writes a cookie's value as JSON in Base64. */
function notificationsIn(cookies: string[]): PageResponse['notifications'] {
  const value = cookies.map((cookie) => /^notifications=([^;]+)/.exec(cookie)?.[1]).find(Boolean)
  if (!value) return []
  const all = JSON.parse(Buffer.from(decodeURIComponent(value), 'base64').toString()) as PageResponse['notifications']
  return all.map(({ type, title, message }) => ({ type, title, ...(message === undefined ? {} : { message }) }))
}
