import { count, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { oidcPayloads } from '../../../db/schema/users'
import { openTestDatabase } from '../../../tests/support/database/database'
import { createOidcAdapter, maxShortLivedRows } from './adapter'

test('limits the rows of unfinished sign-ins and keeps the sessions of people', async () => {
  const { database: db } = await openTestDatabase()
  try {
    const [interactions, sessions] = ['Interaction', 'Session'].map((model) => createOidcAdapter(db, model))
    await sessions?.upsert('signed-in', { accountId: 'ada' }, 14 * 24 * 3600)
    const start = Date.now()
    await db.write(async (tx) => {
      for (let first = 0; first < maxShortLivedRows; first += 500) {
        const rows = Array.from({ length: 500 }, (_, n) => ({
          id: `Interaction:${first + n}`,
          model: 'Interaction',
          payload: '{}',
          expiresAt: new Date(start + 1_000_000 + first + n),
        }))
        await tx.insert(oidcPayloads).values(rows)
      }
    })
    await interactions?.upsert('newest', {}, 3600)
    await sessions?.upsert('nobody', {}, 600)
    expect(await interactions?.find('0')).toBeUndefined()
    expect(await interactions?.find('2')).toBeDefined()
    expect(await interactions?.find('newest')).toBeDefined()
    expect(await sessions?.find('signed-in')).toBeDefined()
    const [row] = await db.read
      .select({ rows: count() })
      .from(oidcPayloads)
      .where(eq(oidcPayloads.model, 'Interaction'))
    expect(row?.rows).toBeLessThanOrEqual(maxShortLivedRows)
  } finally {
    await db.close()
  }
})
