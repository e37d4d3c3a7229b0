import { z } from 'zod'

/**
 * Gives every schema without a message of its own one that names the field and what it takes, instead of the words of the
 * validation library. For this process; call it before anything is parsed.
 */
export function setValidationMessages(): void {
  z.config({ customError: messageOf })
}

type Issue = z.core.$ZodRawIssue

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
}

function messageOf(issue: Issue): string {
  const field = fieldOf(issue)
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is required`
        : `${field} must be ${types[issue.expected] ?? 'of another type'}`
    case 'too_small':
      return `${field} ${lowerBound(issue)}`
    case 'too_big':
      return `${field} ${upperBound(issue)}`
    case 'invalid_value':
      return `${field} must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'not_multiple_of':
      return `${field} must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `${field} has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return `${field} does not have the required form`
    default:
      return `${field} is not valid`
  }
}

/** The innermost named field: an entry of a list is called by the name of the list. */
function fieldOf(issue: Issue): string {
  const name = issue.path?.findLast((part) => typeof part === 'string')
  return name === undefined ? 'The value' : String(name)
}

function lowerBound({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  if (origin === 'string' && minimum === 1) return 'is required'
  if (origin === 'string') return `needs at least ${minimum} characters`
  if (isCounted(origin)) return `needs at least ${minimum} ${entries(minimum)}`
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`
}

function upperBound({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  if (origin === 'string') return `can have at most ${maximum} characters`
  if (isCounted(origin)) return `can have at most ${maximum} ${entries(maximum)}`
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

const isCounted = (origin: string) => ['array', 'set', 'map', 'record', 'object'].includes(origin)
const entries = (count: number | bigint) => (BigInt(count) === 1n ? 'entry' : 'entries')
