/** What processes of an installation tell each other. `jobs`: a job waits. `cancel`: a call of a tool is cancelled. */
export type SignalName = 'jobs' | 'cancel'

/** Delivers signals to all processes, this one included. Some may be lost: whoever waits for one looks by itself, too. */
export interface Signals {
  send(name: SignalName, text: string): void
  /** Returns what ends the subscription. */
  on(name: SignalName, listener: (text: string) => void): () => void
  close(): Promise<void>
}
