import { expect, it } from 'vitest'
import { semanticIndexNotice } from './semantic-index-notice'

it('says when only keywords were searched', () => {
  const notice = semanticIndexNotice({ mode: 'keyword', pending_embeddings: 4_655 })
  expect(notice).toBe('Keyword search only: the semantic index is not built yet.')
})

it('counts the fragments without an embedding', () => {
  const notice = semanticIndexNotice({ mode: 'hybrid', pending_embeddings: 4_655 })
  expect(notice).toBe('Building the semantic index: 4,655 left.')
})

it('says nothing of a complete index', () => {
  expect(semanticIndexNotice({ mode: 'hybrid', pending_embeddings: 0 })).toBeNull()
})
