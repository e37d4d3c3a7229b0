import { and, eq, ne } from 'drizzle-orm'
import { addresses } from '../../../../db/schema/addresses'
import type { RunContext } from '../../runs/run-context'
import type { Frontier } from '../frontier/frontier'

interface Deps {
  frontier: Pick<Frontier, 'enqueue'>
}

export type EnqueueFile = ReturnType<typeof createEnqueueFile>

/**
 * Enqueues the one address of a file source, which has the name of its file. An indexed address keeps its name until the
 * replacement is read.
 */
export function createEnqueueFile({ frontier }: Deps) {
  return async (run: RunContext, name: string): Promise<void> => {
    const ofSource = eq(addresses.sourceId, run.source.id)
    const unread = and(ofSource, eq(addresses.fragments, 0), ne(addresses.url, name))
    await run.db.write((tx) => tx.update(addresses).set({ url: name, discoveredFrom: name }).where(unread))
    const [known] = await run.db.read.select({ url: addresses.url }).from(addresses).where(ofSource)
    const url = known?.url ?? name
    await frontier.enqueue(run, [{ url, depth: 0, discoveredFrom: url }])
  }
}
