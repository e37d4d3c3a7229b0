export interface BurstLimiter {
  /** Counts an attempt. Returns null if it is allowed, otherwise the seconds to wait. */
  take(key: string): Promise<number | null>
  forget(key: string): Promise<void>
}

/** Allows `burst` attempts in `burstSeconds`, then one attempt per `everySeconds`. */
export type CreateBurstLimiter = (rate: {
  /** Distinguishes the keys of the limiter from those of others. */
  name: string
  burst: number
  burstSeconds: number
  everySeconds: number
}) => BurstLimiter
