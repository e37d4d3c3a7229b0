import { expect, it } from 'vitest'
import { statusOf } from '../contract/values/error-codes'
import { isAppError } from '../server/errors'
import { isConstraintError, translateError } from './errors'

const thrown = (code: string) => Object.assign(new Error('of the driver'), { code })

it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC', '53100'])('recognizes %s as full storage', (code) => {
  const cause = thrown(code)
  const error = translateError(Object.assign(new Error('Failed query', { cause }), { query: '' }))
  if (!isAppError(error)) throw new Error('not recognised')
  expect(statusOf[error.code]).toBe(507)
  expect(error.message).toBe(
    'The disk of this server is full, so nothing can be stored. Free some space, then try again.',
  )
  expect(error.cause).toBe(cause)
  expect(error.details).toEqual({})
})

it('returns other errors unchanged', () => {
  const second = thrown('SQLITE_IOERR_READ')
  expect(translateError(second)).toBe(second)
  expect(isConstraintError(translateError(thrown('23505')), 'unique')).toBe(true)
})
