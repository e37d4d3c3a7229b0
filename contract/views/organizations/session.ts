/** A browser in which a person is signed in. */
export interface SessionView {
  id: string
  /** As the browser sent it; null if it sent none. */
  user_agent: string | null
  ip: string | null
  created_at: string
  /** To the minute. */
  last_seen_at: string
  /** Whether it is the session of this request. */
  is_current: boolean
}
