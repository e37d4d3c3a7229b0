import { expect, it } from 'vitest'
import { addressLabel } from './address-label'

it.each([
  [{ status: 'idle', reason: null, fragments: 3, ignored: false }, 'Idle'],
  [{ status: 'idle', reason: 'excluded', fragments: 0, ignored: false }, 'Skipped'],
  [{ status: 'idle', reason: 'ignored', fragments: 0, ignored: true }, 'Ignored'],
  [{ status: 'idle', reason: 'file-cut', fragments: 2, ignored: false }, 'Idle'],
  [{ status: 'fail', reason: 'missing-once', fragments: 2, ignored: false }, 'Failed'],
  [{ status: 'fail', reason: 'not-found', fragments: 0, ignored: false }, 'Failed'],
] as const)('%j is %s', (address, label) => {
  expect(addressLabel(address)).toBe(label)
})
