import { describe, expect, it } from 'vitest'
import { collectionProgress } from './collection-progress'

describe('collectionProgress', () => {
  const collection = { fragments: 20_113, pending_embeddings: 17_013 }

  it('counts read addresses, then indexed fragments, until both stages have ended', () => {
    const reading = { done: 147, total: 525 }
    expect(collectionProgress(collection, reading, true)).toEqual({ stage: 'Crawling', line: 'Read 147 of 525' })
    expect(collectionProgress(collection, undefined, true)).toEqual({
      stage: 'Indexing',
      line: 'Indexed 3,100 of 20,113',
    })
    expect(collectionProgress({ fragments: 20_113, pending_embeddings: 0 }, undefined, true)).toBeNull()
  })

  it('has no second stage if the embedding model cannot run', () => {
    expect(collectionProgress(collection, undefined, false)).toBeNull()
  })

  it('looks for pages before it knows any', () => {
    expect(collectionProgress(collection, { done: 0, total: 0 }, true)?.line).toBe('Finding pages…')
  })
})
