import type { CollectionView } from '../../../contract/views/collection'
import { indexedLine, readLine } from '../sources/progress-line'

export interface CollectionProgress {
  stage: 'Crawling' | 'Indexing'
  line: string
}

/**
 * How far a collection is: its runs read pages, then the semantic index is built. Null once both have ended. `reading`
 * counts the addresses of its runs in progress.
 */
export function collectionProgress(
  { fragments, pending_embeddings: pending }: Pick<CollectionView, 'fragments' | 'pending_embeddings'>,
  reading: { done: number; total: number } | undefined,
  canEmbed: boolean,
): CollectionProgress | null {
  if (reading) return { stage: 'Crawling', line: readLine(reading) }
  if (!canEmbed || pending === 0) return null
  return { stage: 'Indexing', line: indexedLine({ done: fragments - pending, total: fragments }) }
}
