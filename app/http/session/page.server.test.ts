import { expect, test } from 'vitest'
import { whereTo } from './page.server'

const answers = { goals: [], sector: '', position: '', size: 'Solo (1)' as const, source: '', created_at: '' }
const onboarded = { onboarding: answers }
const fresh = { onboarding: null }

// contract Guard: Each path leads where the specification says
test.each([
  ['/dashboard', 0, null, '/onboarding/organization'],
  ['/onboarding', 0, null, '/onboarding/organization'],
  ['/onboarding/organization', 0, null, null],
  ['/admin/users', 1, null, '/onboarding/organization'],
  ['/dashboard', 0, fresh, '/onboarding'],
  ['/onboarding/organization', 0, fresh, '/onboarding'],
  ['/onboarding', 0, fresh, null],
  ['/onboarding', 0, onboarded, '/dashboard'],
  ['/onboarding/organization', 1, onboarded, '/dashboard'],
  ['/dashboard/agents', 0, onboarded, null],
  ['/onboardings', 0, onboarded, null],
  ['/admin', 0, onboarded, '/dashboard'],
  ['/admin/users', 0, onboarded, '/dashboard'],
  ['/admin/users', 1, onboarded, null],
])('%s for type %i with %o leads to %s', (path, type, organization, expected) => {
  expect(whereTo(path, { type }, organization)).toBe(expected)
})
