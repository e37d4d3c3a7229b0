import { expect, it } from 'vitest'
import { measureIsolation } from '../support/isolation'

// `npx tsx tests/bench/server/isolation.ts` does the same for 100 organizations with 1,000 fragments each and 10,000 queries.

it('no search finds what belongs to another organization or another source, however near it is', {
  timeout: 180_000,
}, async () => {
  const result = await measureIsolation({ organizations: 12, fragments: 160, queries: 240 })
  expect(result).toMatchObject({ foreign: 0, short: 0 })
})
