import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { expect, it } from 'vitest'
import { users } from '../../db/schema/users'
import { openTestDatabase } from '../../tests/support/database'
import { createSealer } from '../sealing'
import { createSessions } from './sessions'

const client = { userAgent: null, ip: null, providerSession: null }

it('ends a session whose ID token cannot be unsealed', async () => {
  const { database: db } = await openTestDatabase()
  try {
    await db.write((tx) =>
      tx
        .insert(users)
        .values({ id: 'p1', email: 'p@example.com', emailNormalized: 'p@example.com', issuer: 'i', subject: 's' }),
    )
    const sessions = createSessions({ db, sealer: createSealer([randomBytes(32)]), log: pino({ level: 'silent' }) })
    const kept = await sessions.create('p1', 'the-id-token', client)
    expect(await sessions.end(kept)).toBe('the-id-token')

    const lost = await sessions.create('p1', 'the-id-token', client)
    const after = createSessions({ db, sealer: createSealer([randomBytes(32)]), log: pino({ level: 'silent' }) })
    expect(await after.end(lost)).toBeNull()
    expect(await after.find(lost)).toBeNull()
  } finally {
    await db.close()
  }
})
