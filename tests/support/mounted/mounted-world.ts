import { accounts, links } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { createPasswords } from '../../../server/identity/embedded/passwords/passwords'
import type { LinkPurpose } from '../../../server/identity/links/links'
import { hashToken, randomToken } from '../../../server/tokens'
import { type ApiWorld, type Caller, startApiWorld } from '../api/api-world'
import { startSmtpSink } from '../people/smtp-sink'
import type { Asked, MountedCall } from './mounted-call'

export const password = 'correct horse battery'

interface MountedResponse {
  status: number
  location: string | null
  text: string
}

export interface MountedWorld extends ApiWorld {
  request(caller: Caller, method: MountedCall['method'], asked: Asked): Promise<MountedResponse>
  /** The e-mail address of a new account. */
  account(options?: { isVerified: boolean }): Promise<string>
  /** The token of a new link. */
  link(purpose: LinkPurpose, email: string): Promise<string>
  /** The token of a new invitation to the own organization. */
  invitation(): Promise<string>
  /** A sign-in that a browser has begun: the path of its page, and the cookies of that browser. */
  interaction(): Promise<Required<Pick<Asked, 'path' | 'cookies'>>>
}

/** Everything that Express serves, with a mail server and open sign-up. */
export async function startMountedWorld(): Promise<MountedWorld> {
  const sink = await startSmtpSink()
  const world = await startApiWorld(undefined, {
    SMTP_URL: sink.url,
    MAIL_FROM: 'ask@example.test',
    SIGN_UP: 'open',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const { app, own, origin, credentials } = world
  const { db, services } = app
  const passwordHash = await createPasswords().hash(password)
  let addresses = 0

  /** Each request is from another network, so that none exceeds the limits of one. */
  function headersOf(caller: Caller, cookies: string | undefined): Headers {
    const { bearer, cookie } = credentials[caller]
    const headers = new Headers({ origin, 'sec-fetch-site': 'same-origin', accept: 'text/html' })
    headers.set('x-forwarded-for', `203.${Math.floor(++addresses / 250)}.${addresses % 250}.1`)
    const sent = [cookie, cookies].filter(Boolean).join('; ')
    if (sent) headers.set('cookie', sent)
    if (bearer) headers.set('authorization', `Bearer ${bearer}`)
    return headers
  }

  async function request(caller: Caller, method: MountedCall['method'], { path, fields, cookies }: Asked) {
    const body = fields ? new URLSearchParams(fields) : null
    const init = { method, headers: headersOf(caller, cookies), body, redirect: 'manual' } as const
    const response = await fetch(origin + path, init)
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }

  async function account({ isVerified } = { isVerified: true }): Promise<string> {
    const email = `account-${crypto.randomUUID()}@example.test`
    const row = { email, emailNormalized: email, passwordHash, emailVerified: isVerified }
    await db.write((tx) => tx.insert(accounts).values(row))
    return email
  }

  async function link(purpose: LinkPurpose, email: string): Promise<string> {
    const token = randomToken()
    const row = { id: hashToken(token), purpose, email, expiresAt: new Date(Date.now() + 60_000) }
    await db.write((tx) => tx.insert(links).values(row))
    return token
  }

  async function invitation(): Promise<string> {
    const input = { email: `invited-${crypto.randomUUID()}@example.com`, role: 'viewer' } as const
    const { link: url } = await services.invitations.create(system, own.organization, input)
    return new URL(url ?? '').searchParams.get('token') ?? ''
  }

  async function interaction() {
    const { path } = signInRequest(origin)
    const response = await fetch(origin + path, { headers: headersOf('guest', undefined), redirect: 'manual' })
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return { path: response.headers.get('location') ?? '', cookies: cookies.join('; ') }
  }

  async function close() {
    await world.close()
    await sink.close()
  }

  return { ...world, request, account, link, invitation, interaction, close }
}

/** A sign-in as the product begins it. */
export function signInRequest(origin: string): Asked {
  const query = new URLSearchParams({
    client_id: 'sitelore',
    response_type: 'code',
    redirect_uri: `${origin}/auth/callback`,
    scope: 'openid email',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return { path: `/oidc/auth?${query}` }
}
