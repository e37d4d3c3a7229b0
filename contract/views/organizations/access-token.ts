import type { OrganizationRole } from '../../values/enumerations'

/** A personal access token without its secret. */
export interface AccessTokenView {
  id: string
  name: string
  /** The highest role that it has; null for the person's own in each organization. */
  role: OrganizationRole | null
  /** Null if the token reaches all organizations of the person. */
  organization: { id: string; name: string } | null
  created_at: string
  expires_at: string
  is_expired: boolean
  /** Time of the last use, to the minute; null if it was never used. */
  last_used_at: string | null
}

/** A new token. It cannot be read again. */
export interface NewAccessToken extends AccessTokenView {
  token: string
}
