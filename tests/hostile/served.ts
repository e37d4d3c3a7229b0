import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Host, Hosts } from './hosts'

export interface Served {
  hosts: Host[]
  /** Origins of healthy sites. */
  healthy: string[]
  counts(): Promise<ReturnType<Hosts['counts']>>
  close(): void
}

/** Starts `serve.ts`, or its bundle next to this one; it ends with this process at the latest. */
export async function startServed(seed: number, healthySites: number, healthyPages: number): Promise<Served> {
  const name = import.meta.url.endsWith('.ts') ? 'serve.ts' : 'serve.js'
  const file = fileURLToPath(new URL(name, import.meta.url))
  const child = fork(file, [seed, healthySites, healthyPages].map(String))
  const [ready] = (await once(child, 'message')) as [{ hosts: Host[]; healthy: string[] }]
  let asking: Promise<unknown> = Promise.resolve()

  async function ask(): Promise<ReturnType<Hosts['counts']>> {
    const answer = once(child, 'message')
    child.send('counts')
    const [counts] = await answer
    return counts
  }

  return {
    ...ready,
    counts() {
      // One request at a time, since responses do not name their request.
      const answer = asking.then(ask)
      asking = answer.catch(() => undefined)
      return answer
    },
    close: () => child.disconnect(),
  }
}
