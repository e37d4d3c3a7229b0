const windowMs = 30_000

interface Batch {
  at: number
  fragments: number
}

/** How fast fragments get their vectors, by collection, measured over the last half minute. */
export function createEmbeddingRate(now: () => number = Date.now) {
  const batches = new Map<string, Batch[]>()
  let latest = 0

  function recent(collectionId: string): Batch[] {
    return (batches.get(collectionId) ?? []).filter(({ at }) => now() - at < windowMs)
  }

  function add(collectionId: string, fragments: number): void {
    batches.set(collectionId, [...recent(collectionId), { at: now(), fragments }])
    latest = of(collectionId) || latest
  }

  /** Fragments a second; 0 while none was embedded lately. */
  function of(collectionId: string): number {
    const [first, ...rest] = recent(collectionId)
    if (!first) {
      batches.delete(collectionId)
      return 0
    }
    const seconds = (now() - first.at) / 1_000
    // The first batch was embedded before its time.
    return seconds > 0 ? rest.reduce((sum, { fragments }) => sum + fragments, 0) / seconds : 0
  }

  return {
    add,
    of,
    /** The last measured rate of any collection, in fragments a second; 0 before the first one. */
    latest: () => latest,
  }
}

export type EmbeddingRate = ReturnType<typeof createEmbeddingRate>
