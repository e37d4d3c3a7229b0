import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { sessions as sessionTable, users } from '../../db/schema/users'
import { openTestDatabase } from '../../tests/support/database/database'
import { createSealer } from '../sealing'
import { createPersonReader } from './person'
import { createSessions } from './sessions'

const client = { userAgent: null, ip: null, providerSession: null }

const openSessions = (db: Database) =>
  createSessions({
    db,
    personOf: createPersonReader(db, false),
    sealer: createSealer([randomBytes(32)]),
    log: pino({ level: 'silent' }),
  })

it('ends a session whose ID token cannot be unsealed', async () => {
  const { database: db } = await openTestDatabase()
  try {
    await db.write((tx) =>
      tx
        .insert(users)
        .values({ id: 'p1', email: 'p@example.com', emailNormalized: 'p@example.com', issuer: 'i', subject: 's' }),
    )
    const sessions = openSessions(db)
    const kept = await sessions.create('p1', 'the-id-token', client)
    expect(await sessions.end(kept)).toBe('the-id-token')

    const lost = await sessions.create('p1', 'the-id-token', client)
    const after = openSessions(db)
    expect(await after.end(lost)).toBeNull()
    expect(await after.find(lost)).toBeNull()
  } finally {
    await db.close()
  }
})

it('ends 90 days after the sign-in, however often it is used', async () => {
  const { database: db } = await openTestDatabase()
  try {
    const person = { email: 'p@example.com', emailNormalized: 'p@example.com', issuer: 'i', subject: 's' }
    await db.write((tx) => tx.insert(users).values({ id: 'p1', ...person }))
    const sessions = openSessions(db)
    const token = await sessions.create('p1', 'the-id-token', client)
    const startedDaysAgo = (days: number) =>
      db.write((tx) => tx.update(sessionTable).set({ createdAt: new Date(Date.now() - days * 24 * 3_600_000) }))
    await startedDaysAgo(89.9)
    expect(await sessions.find(token)).not.toBeNull()
    await startedDaysAgo(90.1)
    expect(await sessions.find(token)).toBeNull()
    await sessions.sweep()
    expect(await db.read.$count(sessionTable)).toBe(0)
  } finally {
    await db.close()
  }
})
