/** A browser in which a person is signed in. */
export interface SessionView {
  id: string
  /** User agent as the browser sent it; null if it sent none. */
  user_agent: string | null
  ip: string | null
  created_at: string
  /** Time of the last request, to the minute. */
  last_seen_at: string
  /** Whether it is the session of this request. */
  is_current: boolean
}
