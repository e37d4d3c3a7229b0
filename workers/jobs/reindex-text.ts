import type { App } from '../../server/app'
import type { JobHandler } from '../runner'

/** Puts words back into the index that a migration emptied, batch by batch; searches find what is there so far. */
export function indexWords({ words, log }: App): JobHandler {
  return async (_, signal) => {
    let indexed = 0
    for (let some = 1; some > 0; indexed += some) {
      signal.throwIfAborted()
      some = await words.indexNext()
    }
    if (indexed > 0) log.info({ fragments: indexed }, 'The words of all fragments are indexed anew.')
  }
}
