import type { Command } from 'commander'
import { type SearchInput, searchedTypes, searchSchema, whatToFind } from '../contract/search'
import { UsageError } from './io'

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
  const all = (value: string, before: string[] = []) => [...before, value]
  return command
    .option('--collection <name>', 'collection to search, by name or id (default: the only one)')
    .option('--source <name>', 'only in this source, by name, address or id')
    .option('--limit <n>', 'at most so many fragments, 1 to 25 (default: 10)')
    .option('--threshold <n>', 'only fragments with at least this score, 0 to 1 (default: 0.3)')
    .option('--path <pattern>', 'only paths like this, as in "/docs/**"; may be repeated', all)
    .option('--language <tag>', 'only pages in this language, as in en or pt-BR; may be repeated', all)
    .option('--type <type>', `only this type, of ${searchedTypes.join(', ')}; may be repeated`, all)
    .option('--published-since <date>', 'only what was published on this day or later, as it says itself')
    .option('--published-until <date>', 'or on this day or before')
    .option('--modified-since <date>', 'only what was changed on this day or later, as it says itself')
    .option('--modified-until <date>', 'or on this day or before')
    .option('--fetched-since <date>', 'only what was read on this day or later')
    .option('--fetched-until <date>', 'or on this day or before')
    .option('--explain', 'with the figures of each fragment, and with those that were dropped')
}

/** What is asked for, without the place. Throws a UsageError that names the option. */
export function readSearch(words: string, given: SearchOptions): Omit<SearchInput, 'collectionId' | 'agentId'> {
  if (words.trim() === '') throw new UsageError(`${whatToFind}.`)
  const { collection: _, source: __, explain = false, ...options } = given
  const parsed = searchSchema.safeParse({
    ...options,
    query: words,
    explain: String(explain),
    collectionId: 'named elsewhere',
  })
  if (parsed.success) {
    const { collectionId: _, agentId: __, ...asked } = parsed.data
    return asked
  }
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? 'query')
  const message = issue?.message.replace(new RegExp(`^${name} is`), 'must be') ?? 'is not valid'
  throw new UsageError(name === 'query' ? `${message}.` : `--${kebab(name)}: ${message}.`)
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
