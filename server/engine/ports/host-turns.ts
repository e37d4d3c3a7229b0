/** Turns at hosts that all processes of an installation share. A host has at most one turn at a time. */
export interface HostTurns {
  /** Takes the turn at a host and returns null, or returns why it cannot be taken now. */
  take(host: string): Promise<HostWait | null>
  /** Ends the turn. The next one begins after `pauseMs` at the earliest. */
  end(host: string, pauseMs: number): Promise<void>
}

export interface HostWait {
  /** Another process has the turn, or the host is paused. */
  reason: 'taken' | 'paused'
  /** When to try again. */
  waitMs: number
}
