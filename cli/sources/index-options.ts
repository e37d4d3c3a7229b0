import { type Command, Option } from 'commander'
import { crawledSourceTypes, type SourceInput } from '../../contract/sources/source'
import { type SourceOptions, sourceOptionsSchema } from '../../contract/sources/source-options'
import { refreshIntervals } from '../../contract/values/enumerations'
import { sourceRanges } from '../../contract/values/limits'
import { UsageError } from '../io'

export interface IndexOptions {
  type?: SourceInput['type']
  collection?: string
  include?: string[]
  exclude?: string[]
  includeSelector?: string[]
  excludeSelector?: string[]
  maxPages?: string
  maxDepth?: string
  refreshInterval?: string
  crawlDelay?: string
  header?: string[]
  username?: string
  password?: string
  clearHeaders?: boolean
  preview?: boolean
  discover?: boolean
}

const flags: Record<keyof SourceOptions, string> = {
  include: '--include',
  exclude: '--exclude',
  include_selectors: '--include-selector',
  exclude_selectors: '--exclude-selector',
  max_pages: '--max-pages',
  max_depth: '--max-depth',
  refresh_interval: '--refresh-interval',
  crawl_delay_ms: '--crawl-delay',
  headers: '--header',
  username: '--username',
  password: '--password',
  clear_headers: '--clear-headers',
}

export function addIndexOptions(command: Command): Command {
  const { maxPages, maxDepth, crawlDelayMs } = sourceRanges
  const all = (value: string, before: string[] = []) => [...before, value]
  return command
    .addOption(new Option('--type <type>', 'what the address is; detected by default').choices([...crawledSourceTypes]))
    .option(
      '--collection <name>',
      "collection to put it in, by name or id; created if missing (default: the site's host, or Files)",
    )
    .option('--include <pattern>', 'index only paths like this, as in "/docs/**"; may be repeated', all)
    .option('--exclude <pattern>', 'skip paths like this; may be repeated', all)
    .option('--include-selector <css>', 'keep only what this CSS selector matches; may be repeated', all)
    .option('--exclude-selector <css>', 'remove from each page what this CSS selector matches; may be repeated', all)
    .option('--max-pages <n>', `maximum number of pages, ${rangeOf(maxPages)}; "" removes the limit`)
    .option('--max-depth <n>', `maximum number of links from the start, ${rangeOf(maxDepth)}; "" removes the limit`)
    .addOption(
      new Option('--refresh-interval <interval>', 'how often it is refreshed (default: weekly)').choices([
        ...refreshIntervals,
      ]),
    )
    .option(
      '--crawl-delay <ms>',
      `milliseconds between two requests, ${rangeOf(crawlDelayMs)}; "" means the installation's delay`,
    )
    .option('--header <header>', "request header for this site only, 'Name: value'; may be repeated", all)
    .option('--username <name>', 'user name of a protected site; the shell may keep it in its history')
    .option('--password <word>', 'password of a protected site; the shell may keep it in its history')
    .option('--clear-headers', 'remove the stored headers and the password')
    .addOption(
      new Option(
        '--preview',
        'show which addresses would be indexed and which not, and why; nothing is stored',
      ).conflicts('discover'),
    )
    .option('--discover', 'only look for new addresses of an existing source')
}

/** The flag of an option: '--max-pages' for 'maxPages'. */
export function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function rangeOf({ min, max }: { min: number; max: number }): string {
  return `${min} to ${max}`
}

/** The given options of the source. Throws a UsageError that names the flag. */
export function sourceOptionsOf(options: IndexOptions): SourceOptions {
  const input: Record<keyof SourceOptions, unknown> = {
    include: options.include,
    exclude: options.exclude,
    include_selectors: options.includeSelector,
    exclude_selectors: options.excludeSelector,
    max_pages: options.maxPages,
    max_depth: options.maxDepth,
    refresh_interval: options.refreshInterval,
    crawl_delay_ms: options.crawlDelay,
    headers: options.header && headersOf(options.header),
    username: options.username,
    password: options.password,
    clear_headers: options.clearHeaders,
  }
  const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const parsed = sourceOptionsSchema.safeParse(named)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${flags[issue?.path[0] as keyof SourceOptions]}: ${issue?.message}`)
}

function headersOf(lines: string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new UsageError("--header: use 'Name: value'.")
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}
