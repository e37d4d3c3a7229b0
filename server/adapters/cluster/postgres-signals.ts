import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SignalName, Signals } from '../../engine/ports/signals'
import { createLocalSignals } from '../local-signals'

interface Deps {
  databaseUrl: string
  log: { warn(details: object, message: string): void }
}

const channels: readonly SignalName[] = ['jobs', 'cancel']
const channelOf = (name: SignalName) => `sitelore_${name}`
const minRetryMs = 250
const maxRetryMs = 5_000

/** Signals by LISTEN and NOTIFY, on a connection of its own, which is opened again when it is lost. */
export function createPostgresSignals({ databaseUrl, log }: Deps): Signals {
  const local = createLocalSignals()
  let client: pg.Client | null = null
  let isClosed = false
  let connecting = connect()

  async function connect(): Promise<void> {
    for (let delayMs = minRetryMs; !isClosed; delayMs = Math.min(maxRetryMs, delayMs * 2)) {
      const next = new pg.Client({
        connectionString: databaseUrl,
        keepAlive: true,
        application_name: 'sitelore signals',
      })
      try {
        next.on('error', () => {})
        next.on('end', () => reconnect(next))
        next.on('notification', ({ channel, payload = '' }) => {
          const name = channels.find((channelName) => channelOf(channelName) === channel)
          if (name) local.send(name, payload)
        })
        await next.connect()
        for (const name of channels) await next.query(`listen ${channelOf(name)}`)
        client = next
        return
      } catch (error) {
        await next.end().catch(() => {})
        log.warn({ err: error }, 'The connection for signals could not be opened; it is tried again.')
        await sleep(delayMs, undefined, { ref: false })
      }
    }
  }

  function reconnect(ended: pg.Client): void {
    if (client !== ended) return
    client = null
    if (!isClosed) connecting = connect()
  }

  return {
    send(name, text) {
      const sent = client?.query('select pg_notify($1, $2)', [channelOf(name), text])
      // Others look by themselves.
      if (sent) void sent.catch(() => {})
      else local.send(name, text)
    },
    on: local.on,
    async close() {
      isClosed = true
      const open = client
      client = null
      await Promise.race([connecting, sleep(maxRetryMs, undefined, { ref: false })])
      await open?.end().catch(() => {})
      await local.close()
    },
  }
}
