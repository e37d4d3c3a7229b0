import type { App } from '../../server/app'
import { RetryLater } from '../../server/errors'
import type { JobHandler } from '../runner'

const waitMs = 10_000

/** Settles what the pages of a source share, as soon as no run works on it. */
export function detectBoilerplate({ boilerplate }: App): JobHandler {
  return async ({ sourceId = '' }, signal) => {
    const standing = await boilerplate.standing(sourceId)
    if (standing === 'gone') return
    if (standing === 'at-work') throw new RetryLater(waitMs)
    try {
      await boilerplate.settle(sourceId, signal)
    } catch (error) {
      // What is swept away meanwhile cannot be written to.
      if (signal.aborted || (await boilerplate.standing(sourceId)) !== 'gone') throw error
    }
  }
}
