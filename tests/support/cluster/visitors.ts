import { setTimeout as sleep } from 'node:timers/promises'

/** What people do while processes are killed. Each request may meet a process that ends. */
export interface Visitors {
  /** Names of files whose upload was confirmed. */
  uploaded: string[]
  answered: number
  /** Questions whose request got no response. */
  interrupted: number
  /** Responses that no person should see. */
  unexpected: string[]
  stop(): Promise<void>
}

export interface VisitorsOptions {
  origin: string
  token: string
  organization: string
  collection: string
  agent: string
  pauseMs: number
}

/** Uploads files and asks questions, one after the other, until it is stopped. */
export function startVisitors(options: VisitorsOptions): Visitors {
  const { origin, token, organization, collection, agent, pauseMs } = options
  const headers = { authorization: `Bearer ${token}` }
  let isOver = false
  const visitors: Visitors = { uploaded: [], answered: 0, interrupted: 0, unexpected: [], stop }
  const running = Promise.all([repeat(upload), repeat(ask)])

  async function repeat(work: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !isOver; n++) {
      await work(n)
      await sleep(pauseMs)
    }
  }

  async function upload(n: number): Promise<void> {
    const name = `prices-${n}.csv`
    const form = new FormData()
    form.set('type', 'file')
    form.set('file', new File([`lamp,price\nLantern ${n},${n} euros\n`], name))
    const status = await send(`/v1/${organization}/sources/${collection}`, { body: form })
    // 409: the proxy sent it again to another app, after the one that was killed had stored it.
    if (status === 200 || status === 201 || status === 409) visitors.uploaded.push(name)
    else if (!isOfKilled(status)) visitors.unexpected.push(`upload: ${status}`)
  }

  async function ask(n: number): Promise<void> {
    const body = JSON.stringify({ prompt: `What does the harbor on page ${n % 40} carry?` })
    const status = await send(`/v1/${organization}/agents/${agent}/chat`, {
      body,
      headers: { 'content-type': 'application/json' },
    })
    if (status === 200) visitors.answered++
    else if (isOfKilled(status)) visitors.interrupted++
    else visitors.unexpected.push(`question: ${status}`)
  }

  /** Returns 0 for a connection that was lost. */
  async function send(path: string, init: RequestInit): Promise<number> {
    try {
      const response = await fetch(origin + path, {
        method: 'POST',
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
      })
      const text = await response.text()
      return response.ok && text.includes('"error"') ? 0 : response.status
    } catch {
      return 0
    }
  }

  async function stop(): Promise<void> {
    isOver = true
    await running
  }

  return visitors
}

/** No connection, none to an app, or an app that waited for what is away. */
function isOfKilled(status: number): boolean {
  return status === 0 || status === 502 || status === 503
}
