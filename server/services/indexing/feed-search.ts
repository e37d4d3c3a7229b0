import { asc, count, eq, gt, inArray } from 'drizzle-orm'
import type { SearchIndexView } from '../../../contract/views/health'
import type { Database } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { settings } from '../../../db/schema/settings'
import type { IndexedText, SearchFeed } from '../../engine/ports/search-index'
import { indexedText } from '../fragments/fragments'

const batchSize = 500
const rebuildName = 'search-index-rebuild'

interface Deps {
  db: Database
  /** Null where the index is part of the database. */
  feed: SearchFeed | null
  lockRebuild(): Promise<(() => Promise<void>) | null>
}

/** Writes fragments to a search index on a server of its own. */
export function createFeedSearch({ db, feed, lockRebuild }: Deps) {
  /** Reads what is indexed of these fragments. */
  async function loadTexts(keys: number[]): Promise<IndexedText[]> {
    const rows = await db.read.select().from(fragments).where(inArray(fragments.key, keys))
    return rows.map(indexedText)
  }

  /** Writes the next fragments that changed. Returns how many. */
  async function deliverNext(): Promise<number> {
    return feed ? feed.deliverNext(loadTexts) : 0
  }

  /**
   * Builds a new index of all fragments beside the current one, which searches read until the new one is complete. Continues
   * a rebuild that was interrupted. Resolves to the number of fragments; to null if another process rebuilds the index: two
   * would end each other's rebuild.
   */
  async function rebuild(
    index: SearchFeed,
    onProgress: (written: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<number | null> {
    const release = await lockRebuild()
    if (!release) return null
    try {
      return await rewriteAll(index, onProgress, signal)
    } finally {
      await release()
    }
  }

  async function rewriteAll(
    index: SearchFeed,
    onProgress: (written: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const [all] = await db.read.select({ total: count() }).from(fragments)
    const total = all?.total ?? 0
    const isNew = await index.beginRebuild()
    // The index of an interrupted rebuild may be lost.
    let { after, written } = isNew ? { after: 0, written: 0 } : await interrupted()
    for (;;) {
      signal.throwIfAborted()
      const rows = await db.read
        .select({ key: fragments.key })
        .from(fragments)
        .where(gt(fragments.key, after))
        .orderBy(asc(fragments.key))
        .limit(batchSize)
      const last = rows.at(-1)
      if (!last) break
      await index.rewrite(
        rows.map(({ key }) => key),
        loadTexts,
      )
      after = last.key
      written += rows.length
      await remember({ after, written })
      onProgress(written, total)
    }
    await index.finishRebuild()
    await db.writeOne((tx) => tx.delete(settings).where(eq(settings.name, rebuildName)))
    return written
  }

  /** How the index is; null where it is part of the database. */
  async function state(): Promise<SearchIndexView | null> {
    if (!feed) return null
    const health = await feed.health()
    const isCurrent = health.status !== 'away' && (await feed.isCurrent())
    const { count: pending, oldest } = await feed.pending()
    return { ...health, is_current: isCurrent, pending, oldest_pending_at: oldest?.toISOString() ?? null }
  }

  async function interrupted(): Promise<{ after: number; written: number }> {
    const [row] = await db.read.select().from(settings).where(eq(settings.name, rebuildName))
    return row ? JSON.parse(row.value) : { after: 0, written: 0 }
  }

  async function remember(progress: { after: number; written: number }): Promise<void> {
    const value = JSON.stringify(progress)
    await db.writeOne((tx) =>
      tx
        .insert(settings)
        .values({ name: rebuildName, value })
        .onConflictDoUpdate({ target: settings.name, set: { value } }),
    )
  }

  return { feed, deliverNext, rebuild, state }
}
