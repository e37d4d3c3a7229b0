import type { OrganizationRole } from '../../../contract/values/enumerations'
import { type ApiIds, idsIn } from '../api/api-endpoint'
import type { ApiWorld } from '../api/api-world'

/** What the caller of a call with `spendsCaller` has; empty for others. */
export interface OwnThings {
  /** Id of another session. */
  session: string
  /** Id of an access token. */
  token: string
  /** Of the link that confirms another e-mail address. */
  emailToken: string
  /** A set-up of an authenticator app that was begun, with a code of the app. */
  authenticator: { setup: string; code: string }
  /** Id of a passkey. */
  passkey: string
  /** A set-up of a passkey that was begun, with the answer of the browser. */
  newPasskey: { setup: string; credential: string }
}

export const ownPassword = 'correct horse battery'

/** A request of a browser: a page, or a form with one intent. */
export interface PageCall {
  method: 'GET' | 'POST'
  /** The file of the route below app/routes, without its ending. */
  file: string
  /** `{collection}` and the like are ids. */
  path: string
  /** What the form's button sends as `intent`; none for the form that has no intent. */
  intent?: string
  /** The least role; 'anyone' is whoever is signed in, 'everybody' needs no session, 'staff' are
   * the platform's administrators. */
  may: OrganizationRole | 'anyone' | 'everybody' | 'staff'
  /**
   * The organization that the caller has selected: the 'shared' one, by default, where the stranger and the platform's
   * administrator have another one; or for each caller a new one, 'fresh', which is 'waiting' for its onboarding; or 'none'.
   */
  place?: 'shared' | 'fresh' | 'waiting' | 'none'
  /** A success concerns the caller's own organization, whatever the path names. */
  ignoresPath?: true
  /** The caller is a new person with things of their own, because a success uses these or the session up. */
  spendsCaller?: boolean
  /** What a success uses up; created for each request. */
  spends?: keyof ApiIds
  /** Brings what is spent into the state that the call needs. */
  prepare?(world: ApiWorld, ids: ApiIds): Promise<unknown>
  /** Fields that succeed. `unique` differs in each request. */
  fields?(ids: ApiIds, unique: string, own: OwnThings): Record<string, string>
  /** Sent along as a file. */
  upload?: { field?: string; name: string; content(unique: string): BlobPart }
  /** Its address names the organization that the page shows, because the upload starts before the fields are read. */
  streamsBody?: true
  /** Of a success; 200 of a page and 303 of a form by default. */
  status?: number
  /** A page whose success is written into the audit log of the organization. */
  recordsRead?: true
  /** A form whose success stores nothing that tests see. Its refusal has this text in the data of the page, if given. */
  storesNothing?: true | { refusal: string }
}

export function nameOfCall({ method, path, intent }: PageCall): string {
  return [method, path, intent].filter(Boolean).join(' ')
}

export const nothingOwn: OwnThings = {
  session: '',
  token: '',
  emailToken: '',
  authenticator: { setup: '', code: '' },
  passkey: '',
  newPasskey: { setup: '', credential: '' },
}

/** Whether a call names something that the organization has, in its path or its fields. */
export function namesThings({ path, fields, ignoresPath }: PageCall): boolean {
  const read = new Set<PropertyKey>()
  const ids = new Proxy({} as ApiIds, {
    get(_target, name) {
      read.add(name)
      return 'x'
    },
  })
  fields?.(ids, 'x', nothingOwn)
  return (!ignoresPath && idsIn({ path }).length > 0) || read.size > 0
}
