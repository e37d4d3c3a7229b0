export interface TimeLimit {
  /** Maximum processor time. A busy machine gives a thread less than it needs. */
  processorMs: number
  /** Maximum time. */
  totalMs: number
}

/** Processor time is read this often at most. */
const minPollMs = 20

/**
 * Calls `onEnd` once the limit is reached. `processorMs` returns the processor time used so far, since any moment; where it
 * returns null, all time counts. Returns a function that ends the limit.
 */
export function startTimeLimit(limit: TimeLimit, processorMs: () => number | null, onEnd: () => void): () => void {
  const startedAt = Date.now()
  const before = processorMs()
  let timer = setTimeout(check, Math.min(limit.processorMs, limit.totalMs))

  function check(): void {
    const total = Date.now() - startedAt
    const now = processorMs()
    const used = before === null || now === null ? total : now - before
    const leftMs = Math.min(limit.processorMs - used, limit.totalMs - total)
    if (leftMs <= 0) onEnd()
    else timer = setTimeout(check, Math.max(minPollMs, leftMs))
  }

  return () => clearTimeout(timer)
}
