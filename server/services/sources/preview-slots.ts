import { crawlLimits } from '../../engine/limits'
import { AppError } from '../../errors'

/** Previews under way at once, of sites and of single pages together: no plan counts what they cost. */
export interface PreviewSlots {
  /** Throws rate_limited where none is free. */
  assertFree(): void
  /** Gives the place back when what it returns is called. */
  take(): () => void
}

export function createPreviewSlots(): PreviewSlots {
  let underWay = 0
  return {
    assertFree() {
      if (underWay < crawlLimits.preview.atOnce) return
      throw new AppError('rate_limited', 'Several previews are under way. Wait until one has ended, then try again.')
    },
    take() {
      underWay++
      return () => {
        underWay--
      }
    },
  }
}
