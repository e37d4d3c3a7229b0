import type { App } from '../../server/app'
import type { JobHandler } from '../runner'

/** Fills the text index in batches after a migration emptied it; searches find what is indexed so far. */
export function reindexText({ services: { textReindexing }, log }: App): JobHandler {
  return async (_, signal) => {
    let indexed = 0
    for (let batch = 1; batch > 0; indexed += batch) {
      signal.throwIfAborted()
      batch = await textReindexing.indexNext()
    }
    if (indexed > 0) log.info({ fragments: indexed }, 'The text index is complete again.')
  }
}
