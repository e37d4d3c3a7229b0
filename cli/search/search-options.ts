import type { Command } from 'commander'
import { missingQueryMessage, type SearchInput, searchSchema } from '../../contract/chat/search-query'
import { searchTypes } from '../../contract/sources/file'
import { UsageError } from '../io'

export interface SearchOptions {
  collection?: string
  source?: string
  limit?: string
  threshold?: string
  path?: string[]
  language?: string[]
  type?: string[]
  publishedSince?: string
  publishedUntil?: string
  modifiedSince?: string
  modifiedUntil?: string
  fetchedSince?: string
  fetchedUntil?: string
  explain?: boolean
}

export function addSearchOptions(command: Command): Command {
  const collect = (value: string, previous: string[] = []) => [...previous, value]
  return command
    .option('--collection <name>', 'collection to search, by name or id (default: the only one)')
    .option('--source <name>', 'search only this source, by name, address or id')
    .option('--limit <n>', 'maximum number of fragments, 1 to 25 (default: 10)')
    .option('--threshold <n>', 'minimum score, 0 to 1 (default: 0.3)')
    .option('--path <pattern>', 'only paths matching this pattern, as in "/docs/**"; may be repeated', collect)
    .option('--language <tag>', 'only content in this language, as in en or pt-BR; may be repeated', collect)
    .option('--type <type>', `only this type: ${searchTypes.join(', ')}; may be repeated`, collect)
    .option('--published-since <date>', 'only content published on or after this date')
    .option('--published-until <date>', 'only content published on or before this date')
    .option('--modified-since <date>', 'only content modified on or after this date')
    .option('--modified-until <date>', 'only content modified on or before this date')
    .option('--fetched-since <date>', 'only content fetched on or after this date')
    .option('--fetched-until <date>', 'only content fetched on or before this date')
    .option('--explain', 'show how each fragment was ranked, and which were dropped')
}

/** Parses the query and its options, without the collection. Throws a UsageError that names the option. */
export function parseSearch(query: string, options: SearchOptions): Omit<SearchInput, 'collectionId' | 'agentId'> {
  if (query.trim() === '') throw new UsageError(`${missingQueryMessage}.`)
  const { collection: _, source: __, explain = false, ...rest } = options
  const parsed = searchSchema.safeParse({
    ...rest,
    query,
    explain: String(explain),
    collectionId: 'resolved later',
  })
  if (parsed.success) {
    const { collectionId: _, agentId: __, ...search } = parsed.data
    return search
  }
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? 'query')
  const message = issue?.message.replace(new RegExp(`^${name} is`), 'must be') ?? 'is not valid'
  throw new UsageError(name === 'query' ? `${message}.` : `--${kebab(name)}: ${message}.`)
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
