import type { SubmissionResult } from '@conform-to/react'
import type { SourceView } from '../../../../contract/views/source'

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

/** The options in a form: lists with one entry per line, numbers as text. */
export type OptionValues = Record<(typeof optionNames)[number], string>

/** Converts a source's options into form values. Headers and credentials are never sent back. */
export function toFormValues(options: SourceView['options']) {
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

/** Moves errors of single lines, 'include[1]' or 'include.1', to the field that holds the lines. */
export function mergeLineErrors(
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
