import type { Command } from 'commander'
import { matchStrength } from '../../contract/texts/pages/match-strength'
import { pluralize } from '../../contract/texts/pluralize'
import { lengths } from '../../contract/values/limits'
import type { FoundFragment, SearchExplanation, SearchView } from '../../contract/views/chat/search-results'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { chooseCollection, chooseOrganization } from '../accounts/organization'
import { type Cli, examples, globalsOf } from '../cli'
import { findSource } from '../find-source'
import { type Globals, type Io, printJson, printLines } from '../io'
import { withApp } from '../open-app'
import { placeOf } from './place'
import { addSearchOptions, parseSearch, type SearchOptions } from './search-options'

const dropReasons: Record<SearchExplanation['dropped'][number]['reason'], string> = {
  'below-threshold': 'below the threshold',
  duplicate: 'duplicate of a fragment above',
  'same-address': 'limit per address reached',
  'over-limit': 'over the limit',
}

export function addSearch(program: Command, cli: Cli): void {
  const command = program
    .command('search')
    .summary('find fragments')
    .description('Finds the best fragments of a collection with keyword and semantic search. Needs no model provider.')
    .argument('<words...>', 'what to look for')
  addSearchOptions(command)
    .addHelpText(
      'after',
      examples(
        'search opening hours',
        'search "opening hours" --collection Website --limit 3 --json',
        'search storm lamp --path "/docs/**" --language en --explain',
      ),
    )
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      await search(cli.io, words.join(' '), options, globalsOf(command))
    })
}

async function search(io: Io, query: string, options: SearchOptions, { organization, json }: Globals): Promise<void> {
  const request = parseSearch(query, options)
  const found = await withApp(io, async (app) => {
    const organizationId = await chooseOrganization(app, organization)
    const scope = await scopeFor(app, organizationId, options)
    await app.startEmbedding()
    await app.services.embedding.load(scope.collectionId)
    await app.startReranker()
    return app.services.search.collection(system, organizationId, { ...request, ...scope })
  })
  if (json) {
    printJson(io, {
      corrected_query: found.corrected_query,
      fragments: found.fragments.map(({ address_id: _, collection_id: __, ...fragment }) => fragment),
      ...(found.explanation ? { explanation: found.explanation } : {}),
    })
  } else {
    printLines(io, [...hitLines(found), ...explanationLines(found)])
  }
  for (const { typed, searched } of found.corrections) io.err(`Searched for "${searched}" instead of "${typed}".\n`)
  if (found.ignored_characters > 0)
    io.err(`Only the first ${lengths.searchedQuery.toLocaleString('en')} characters of the query were searched.\n`)
  if (found.mode === 'keyword') io.err('Keyword search only: no embeddings are available.\n')
  else if (found.pending_embeddings > 0)
    io.err(`${pluralize(found.pending_embeddings, 'fragment')} found by keyword search only: embeddings are pending.\n`)
}

async function scopeFor(app: App, organizationId: string, { source, collection }: SearchOptions) {
  if (source === undefined) return { collectionId: (await chooseCollection(app, organizationId, collection)).id }
  const found = await findSource(app, organizationId, source, collection)
  return { collectionId: found.collection.id, sourceId: [found.source.id] }
}

function hitLines({ fragments }: SearchView): string[] {
  if (fragments.length === 0) return ['Nothing found.']
  return fragments.flatMap((fragment, index) => [
    ...(index > 0 ? [''] : []),
    `${index + 1}. ${fragment.title || placeOf(fragment)}  ${fragment.score.toFixed(4)} (${matchStrength(fragment.score)})`,
    `   ${[placeOf(fragment), ...fragment.headings].join(' › ')}`,
    ...fragment.passage.text.split('\n').map((line) => `   ${line.trim()}`),
    ...figureLines(fragment),
  ])
}

function figureLines({ figures }: FoundFragment): string[] {
  if (!figures) return []
  const {
    keyword_rank: keywordRank,
    vector_rank: vectorRank,
    bm25,
    cosine,
    fusion_score: fusionScore,
    rerank_score: rerankScore,
    reranker_score: rerankerScore,
    term_coverage: termCoverage,
    backfilled,
  } = figures
  const parts = [
    keywordRank === null ? 'no keyword rank' : `keyword rank ${keywordRank} (BM25 ${bm25.toFixed(2)})`,
    vectorRank === null ? 'no vector rank' : `vector rank ${vectorRank}`,
    cosine === null ? 'no embedding' : `cosine ${cosine.toFixed(3)}`,
    `fusion ${fusionScore.toFixed(3)}, rerank ${rerankScore.toFixed(3)}`,
    ...(rerankerScore === null ? [] : [`reranker ${rerankerScore.toFixed(3)}`]),
    `term coverage ${Math.round(100 * termCoverage)} %`,
    ...(backfilled ? ['backfilled'] : []),
  ]
  return [`   ${parts.join('; ')}`]
}

function explanationLines({ explanation }: SearchView): string[] {
  if (!explanation) return []
  const { words, keyword_hits: keywordHits, vector_hits: vectorHits, ranked, filtered_to: filteredTo } = explanation
  const { reranker } = explanation
  return [
    '',
    `Terms: ${words.join(' ') || 'none'}`,
    `Keyword hits: ${keywordHits}; vector hits: ${vectorHits}; ranked: ${ranked}`,
    ...(filteredTo === null ? [] : [`Fragments that match the filters: ${filteredTo}`]),
    ...(reranker === null ? [] : [rerankerLine(reranker)]),
    ...(explanation.dropped.length > 0 ? ['Not shown:'] : []),
    ...explanation.dropped.map(
      ({ title, url, reason, similarity }) =>
        `   ${similarity.toFixed(4)}  ${title || url}  ${url}: ${dropReasons[reason]}`,
    ),
  ]
}

function rerankerLine({ model, candidates, scored, ms, applied }: NonNullable<SearchExplanation['reranker']>): string {
  return `Reranker ${model}: ${scored} of ${candidates} read in ${ms} ms${applied ? '' : '; left out'}`
}
