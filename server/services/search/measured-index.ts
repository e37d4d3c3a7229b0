import type { Telemetry } from '../../engine/ports/telemetry'
import type { IndexedFragment, SearchIndex } from '../../engine/search/hybrid-search'

/** Measures what a search asks of its index. */
export function measuredIndex<Fragment extends IndexedFragment>(
  index: SearchIndex<Fragment>,
  { stage }: Pick<Telemetry, 'stage'>,
): SearchIndex<Fragment> {
  const { textIndex, vectorIndex, embedder, ranker, reranker } = index
  return {
    ...index,
    textIndex: { search: (...args) => stage('keywords', () => textIndex.search(...args)) },
    vectorIndex: {
      search: (...args) => stage('vectors', () => vectorIndex.search(...args)),
      cosines: (...args) => stage('vectors', () => vectorIndex.cosines(...args)),
    },
    embedder: embedder && {
      model: embedder.model,
      embedQuery: (...args) => stage('embedding', () => embedder.embedQuery(...args)),
    },
    loadFragments: (keys) => stage('fragments', () => index.loadFragments(keys)),
    ranker: { rank: (request) => stage('ranking', () => ranker.rank(request)) },
    reranker: reranker && {
      model: reranker.model,
      score: (...args) => stage('reranking', () => reranker.score(...args)),
    },
  }
}
