import type { SourceInput } from '../../contract/sources/source'
import { pluralize } from '../../contract/texts/pluralize'
import type { PreviewEvent, PreviewSummary } from '../../contract/views/preview'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { CommandError, type Io, printLines } from '../io'
import { createProgress } from '../runs/progress'

const maxFoldersShown = 20

/**
 * Prints each address as it is found, whether it would be indexed and why not, then a summary; with `json`, one object
 * per line. Stores nothing. Throws a CommandError if no address would be indexed.
 */
export async function previewAddress(
  app: App,
  io: Io,
  organizationId: string,
  input: SourceInput,
  json: boolean,
): Promise<void> {
  const progress = createProgress(io, { json })
  let last: PreviewSummary | undefined
  try {
    for await (const event of await app.services.sources.preview(
      system,
      { organizationId, collectionId: null },
      input,
      io.signal,
    )) {
      if (event.kind !== 'address') last = event
      if (json) io.out(`${JSON.stringify(event)}\n`)
      else if (event.kind === 'address') {
        progress.end()
        printLines(io, [lineOf(event)])
      } else if (event.kind === 'progress')
        progress.show({
          label: 'Fetching pages',
          done: event.read,
          total: 0,
          detail: pluralize(event.found, 'address'),
        })
    }
  } finally {
    progress.end()
  }
  io.signal.throwIfAborted()
  if (!last) throw new CommandError('The preview ended too early. Try again.')
  if (!json) printLines(io, summaryLines(last))
  if (last.in === 0) throw new CommandError(`Nothing at ${input.url} would be indexed.`)
}

function lineOf({ in: isIn, address, message, title }: Extract<PreviewEvent, { kind: 'address' }>): string {
  return [isIn ? 'included' : 'excluded', address, (isIn ? title : message) ?? ''].join('  ').trimEnd()
}

function summaryLines({ found, in: inside, out, read, reasons, folders, estimate, cut }: PreviewSummary): string[] {
  const width = Math.max(...folders.map(({ folder }) => folder.length), 0)
  const shown = folders.slice(0, maxFoldersShown)
  return [
    '',
    ...shown.map((item) => `${item.folder.padEnd(width)}  ${item.in} included, ${item.out} excluded`),
    ...(folders.length > shown.length ? [`and ${pluralize(folders.length - shown.length, 'more folder')}`] : []),
    ...reasons.map(({ count, message }) => `${count} excluded  ${message}`),
    `${pluralize(found, 'address')} found, ${inside} included, ${out} excluded; ${pluralize(read, 'page')} read`,
    ...(estimate ? [`A full run: ${estimateOf(estimate)}`] : []),
    ...(cut ? ['The preview ended at its limit; the site has more.'] : []),
  ]
}

function estimateOf({ pages, seconds, bytes, fragments }: NonNullable<PreviewSummary['estimate']>): string {
  const time = seconds < 120 ? pluralize(Math.ceil(seconds), 'second') : `${Math.ceil(seconds / 60)} minutes`
  return `about ${pluralize(pages, 'page')}, ${time}, ${sizeOf(bytes)}, ${pluralize(fragments, 'fragment')}`
}

/** '12.3 MB'; below 0.1 MB, '45 kB'. */
function sizeOf(bytes: number): string {
  return bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
