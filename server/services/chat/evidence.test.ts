import { expect, test } from 'vitest'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { findEvidence } from './evidence'

const fragmentOf = (id: string, score: number) => ({ id, score, url: `/${id}`, title: id }) as FragmentView
const request = {
  organizationId: 'o',
  collectionId: 'c',
  query: 'lamp',
  translatedQuery: 'Lampe',
  fragmentLimit: 4,
  similarity: 0.3,
  preferredLanguage: null,
}

/** The ids of the fragments that two searches lead to. */
async function idsOf(lists: Record<string, FragmentView[]>, isReranked: boolean): Promise<string[]> {
  const nothing = { closest: [], dropped: [], nearest: [] }
  const find = async (_: string, { query }: { query: string }) => ({
    ...nothing,
    fragments: lists[query] ?? [],
    isReranked,
  })
  const { fragments } = await findEvidence({ find }, request, new AbortController().signal)
  return fragments.map(({ id }) => id)
}

const lists = {
  lamp: [fragmentOf('a', 0.4), fragmentOf('b', 0.9), fragmentOf('c', 0.8)],
  Lampe: [fragmentOf('d', 0.5), fragmentOf('a', 0.7), fragmentOf('e', 0.6)],
}

test('the fragments of two searches are those with the best scores, each once', async () => {
  expect(await idsOf(lists, false)).toEqual(['b', 'c', 'a', 'e'])
})

test('the fragments of two searches that a reranker ordered are taken in turn, each once', async () => {
  expect(await idsOf(lists, true)).toEqual(['a', 'd', 'b', 'c'])
})
