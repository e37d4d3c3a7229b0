import type { Server } from 'node:http'
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Runner } from '../workers/runner'
import type { Chat } from './services/chat/chat'

/** For answers to be stored and their last event to be sent, in milliseconds; a reader may take nothing any more. */
const answersMs = 5_000
/** Turns of the event loop, for connections that the system has taken already. */
const acceptTurns = 20
/** For responses to end by themselves, in milliseconds; some streams never do. */
const responsesMs = 1_000

/**
 * Ends running answers with a last event, then takes no more connections, lets jobs and responses end, and closes what is
 * still open. Until the answers have ended, further questions are refused with 503: a connection that is closed while its
 * request is on the way would tell its reader nothing. Resolves when nobody uses the database for a request or a job any
 * more; after at most some 20 seconds.
 */
export async function stopServing(
  server: Server,
  chat: Pick<Chat, 'stop'>,
  runner: Pick<Runner, 'stop'>,
  wait = sleep,
) {
  const answered = chat.stop()
  const within = (ms: number, end: Promise<void>) => endsWithin(ms, end, wait)
  await Promise.all([within(answersMs, answered), runner.stop()])
  for (let turn = 0; turn < acceptTurns; turn++) await yieldToEventLoop()
  let open = true
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    open = false
  })
  for (const deadline = Date.now() + responsesMs; open && Date.now() < deadline; ) {
    server.closeIdleConnections()
    await within(20, closed)
  }
  server.closeAllConnections()
  await closed
  // What readers that took nothing had kept open ends with their connections.
  await within(answersMs, answered)
}

/** Waits for it, but no longer. */
async function endsWithin(ms: number, end: Promise<void>, wait: typeof sleep): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([end, wait(ms, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
}
