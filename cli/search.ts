import type { Command } from 'commander'
import type { FoundFragment, SearchExplanation, SearchView } from '../contract/search'
import { system } from '../server/actor'
import type { App } from '../server/app'
import { type Cli, examples, globalsOf } from './cli'
import { findSource } from './find-source'
import { counted, type Globals, type Io, printJson, printLines } from './io'
import { withApp } from './open-app'
import { chooseCollection, chooseOrganization } from './organization'
import { placeOf } from './place'
import { addSearchOptions, readSearch, type SearchOptions } from './search-options'

const excerptLength = 240

const dropped: Record<SearchExplanation['dropped'][number]['reason'], string> = {
  'below-threshold': 'below the threshold',
  duplicate: 'says the same as one above',
  'same-address': 'enough of its address',
  'over-limit': 'over the limit',
}

export function addSearch(program: Command, cli: Cli): void {
  const command = program
    .command('search')
    .summary('find fragments')
    .description('Finds the fragments of a collection that fit best, by words and by meaning. Needs no model provider.')
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

async function search(io: Io, words: string, options: SearchOptions, { organization, json }: Globals): Promise<void> {
  const asked = readSearch(words, options)
  const found = await withApp(io, async (app) => {
    const organizationId = await chooseOrganization(app, organization)
    const place = await placeFor(app, organizationId, options)
    await app.startEmbedding()
    return app.search.collection(system, organizationId, { ...asked, ...place })
  })
  if (json) {
    printJson(io, {
      fragments: found.fragments.map(({ address_id: _, collection_id: __, ...fragment }) => fragment),
      ...(found.explanation ? { explanation: found.explanation } : {}),
    })
  } else {
    printLines(io, [...linesOf(found), ...explanationOf(found)])
  }
  if (!found.by_meaning) io.err('Searched by words only: no vectors could be used.\n')
  else if (found.waiting > 0)
    io.err(`${counted(found.waiting, 'fragment')} searched by words only: vectors are still to come.\n`)
}

async function placeFor(app: App, organizationId: string, { source, collection }: SearchOptions) {
  if (source === undefined) return { collectionId: (await chooseCollection(app, organizationId, collection)).id }
  const found = await findSource(app, organizationId, source, collection)
  return { collectionId: found.collection.id, sourceId: [found.source.id] }
}

function linesOf({ fragments }: SearchView): string[] {
  if (fragments.length === 0) return ['Nothing was found.']
  return fragments.flatMap((fragment, index) => [
    ...(index > 0 ? [''] : []),
    `${index + 1}. ${fragment.title || placeOf(fragment)}  ${fragment.score.toFixed(4)}`,
    `   ${placeOf(fragment)}`,
    `   ${excerpt(fragment.content)}`,
    ...figuresOf(fragment),
  ])
}

function figuresOf({ figures }: FoundFragment): string[] {
  if (!figures) return []
  const {
    rank_words: words,
    rank_meaning: meaning,
    bm25,
    cosine,
    fused,
    order_score: order,
    words_held: held,
    fills_place: fills,
  } = figures
  const parts = [
    words === null ? 'by words not among the first hundred' : `by words number ${words} (BM25 ${bm25.toFixed(2)})`,
    meaning === null ? 'by meaning not among the first hundred' : `by meaning number ${meaning}`,
    cosine === null ? 'no vector' : `cosine ${cosine.toFixed(3)}`,
    `fused ${fused.toFixed(3)}, with its text ${order.toFixed(3)}`,
    `holds ${Math.round(100 * held)} % of the words`,
    ...(fills ? ['fills a place that no other address did'] : []),
  ]
  return [`   ${parts.join('; ')}`]
}

function explanationOf({ explanation }: SearchView): string[] {
  if (!explanation) return []
  const { words, found_by_words: byWords, found_by_meaning: byMeaning, ranked, filtered_to: filtered } = explanation
  return [
    '',
    `Looked for: ${words.join(' ') || 'nothing'}`,
    `Found ${byWords} by words and ${byMeaning} by meaning; ${ranked} of them were ranked.`,
    ...(filtered === null ? [] : [`The filters leave ${counted(filtered, 'fragment')}.`]),
    ...(explanation.dropped.length > 0 ? ['Not shown:'] : []),
    ...explanation.dropped.map(
      ({ title, url, reason, similarity }) =>
        `   ${similarity.toFixed(4)}  ${title || url}  ${url}: ${dropped[reason]}`,
    ),
  ]
}

function excerpt(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ').trim()
  return line.length <= excerptLength ? line : `${line.slice(0, excerptLength).replace(/\s\S*$/, '')} …`
}
