import { AppError } from '../../errors'

export const stoppingMessage = 'The server is stopping. Ask again in a moment.'

/** The answers under way, which end with the server. */
export function createRunningAnswers() {
  const running = new Map<AbortController, Promise<void>>()
  let isStopping = false

  return {
    /** Registers an answer until `end` is called. `signal` aborts when the server stops. Throws unavailable after that. */
    start(): { signal: AbortSignal; end(): void } {
      if (isStopping) throw new AppError('unavailable', stoppingMessage)
      const stopped = new AbortController()
      let resolve = () => {}
      running.set(stopped, new Promise<void>((done) => (resolve = done)))
      return {
        signal: stopped.signal,
        end() {
          running.delete(stopped)
          resolve()
        },
      }
    },

    /** Stops the answers under way, and resolves when all of them have ended. */
    async stop(): Promise<void> {
      isStopping = true
      for (const stopped of running.keys()) stopped.abort()
      await Promise.all(running.values())
    },
  }
}
