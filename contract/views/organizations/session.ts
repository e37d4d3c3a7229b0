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

/** A sign-in of a person. */
export interface SignInView {
  id: string
  /** How they proved who they are: 'pwd', 'otp', 'recovery', 'passkey'; null if an external service did it. */
  methods: string[] | null
  user_agent: string | null
  ip: string | null
  created_at: string
}
