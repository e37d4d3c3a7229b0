import { createExtractor } from '../../server/adapters/extraction/extractor'
import type { Extractor } from '../../server/engine/ports/extractor'

const shared = new Map<string, Extractor>()

/** One extractor for all apps of a process that have the same model: its threads take longer to start than most tests. */
export function sharedExtractor(modelFolder = 'models/all-MiniLM-L6-v2'): Extractor {
  const extractor = shared.get(modelFolder) ?? createExtractor({ modelFolder })
  shared.set(modelFolder, extractor)
  return { ...extractor, close: async () => {} }
}
