import { isEmail } from '../../contract/values/email'
import { parseUrl } from '../../contract/values/url'

export interface SmtpServer {
  host: string
  port: number
  /** TLS from the start. Otherwise the connection switches to TLS if the server offers it. */
  implicitTls: boolean
  /** Null without credentials. They are sent over TLS only, except to this machine. */
  auth: { user: string; password: string } | null
}

export interface Mailbox {
  /** Empty without a name. */
  name: string
  address: string
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/** Reads an address such as smtp://user:password@mail.example.com:587. Returns null if it has another form. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = parseUrl(text)
  if (url === null) return null
  const port = defaultPorts[url.protocol]
  const hasMore = !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== ''
  if (port === undefined || hasMore || !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(url.hostname)) return null
  const auth = credentialsOf(url)
  if (auth === 'unreadable') return null
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    implicitTls: url.protocol === 'smtps:',
    auth,
  }
}

/** Reads `ask@example.com` or `Name <ask@example.com>`. Returns null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', bracketed, plain] = /^(?:"?([^<>"]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text.trim()) ?? []
  const address = bracketed ?? plain ?? ''
  if (!isEmail(address) || /[\p{Cc},;:]/u.test(address) || /\p{Cc}/u.test(name)) return null
  return { name: name.trim(), address }
}

function credentialsOf({ username, password }: URL): SmtpServer['auth'] | 'unreadable' {
  if (username === '') return password === '' ? null : 'unreadable'
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return 'unreadable'
  }
}
