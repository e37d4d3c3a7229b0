import type { SubmissionResult } from '@conform-to/react'
import type { SourceView } from '../../../contract/views/source'

export const optionNames = [
  'include',
  'exclude',
  'include_selectors',
  'exclude_selectors',
  'max_pages',
  'max_depth',
  'refresh_interval',
  'crawl_delay_ms',
  'headers',
  'username',
  'password',
] as const

/** The options as a form has them: lists one a line, numbers as text. */
export type OptionValues = Record<(typeof optionNames)[number], string>

/** What a form shows of a source's options; of headers and credentials nothing comes back. */
export function valuesOf(options: SourceView['options']) {
  const {
    include,
    exclude,
    include_selectors,
    exclude_selectors,
    max_pages,
    max_depth,
    refresh_interval,
    crawl_delay_ms,
  } = options
  return {
    include: include.join('\n'),
    exclude: exclude.join('\n'),
    include_selectors: include_selectors.join('\n'),
    exclude_selectors: exclude_selectors.join('\n'),
    max_pages: textOf(max_pages),
    max_depth: textOf(max_depth),
    crawl_delay_ms: textOf(crawl_delay_ms),
    refresh_interval,
  }
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}

/** Puts what is wrong with one line of a field, 'include[1]' or 'include.1', to the field that holds the lines. */
export function withWholeFields(
  result: SubmissionResult<string[]> | undefined,
): SubmissionResult<string[]> | undefined {
  if (!result?.error) return result
  const error: Record<string, string[]> = {}
  for (const [path, texts] of Object.entries(result.error)) {
    const name = path.split(/[.[]/, 1)[0] ?? path
    error[name] = [...new Set([...(error[name] ?? []), ...(texts ?? [])])]
  }
  return { ...result, error }
}
