import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoServers } from '../../../scripts/lib/testing/servers.mjs'
import { type StartedServer, startPostgres } from '../../support/cluster/servers'

const processes = 8
/** Of 4,000 takes, 3,000 are granted, and 600 requests. */
const limit = 3_000
const requestsInWindow = 600

describe.skipIf(whyNoServers())('eight processes that count 500 times each', () => {
  let postgres: StartedServer
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  async function run(name: string): Promise<Record<string, number>> {
    const args = ['--import', 'tsx', 'tests/support/cluster/count.ts', name]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, DATABASE_URL: postgres.url },
    })
    return JSON.parse(stdout)
  }

  it('are granted exactly what each limit allows', async () => {
    await run('prepare')
    const granted = await Promise.all(Array.from({ length: processes }, (_, n) => run(`process ${n}`)))
    const sums: Record<string, number> = {}
    for (const counts of granted)
      for (const [counter, count] of Object.entries(counts)) sums[counter] = (sums[counter] ?? 0) + count
    expect(sums).toEqual({
      ...{ window: requestsInWindow, points: limit, crawls: limit, searches: limit, daily: limit, visitors: limit },
      unlimited: 4_000,
    })
    const client = new pg.Client(postgres.url)
    await client.connect()
    const stored = await client.query(
      `select crawls::int, messages::int, searches::int,
        (select counted_messages::int from keychains) as daily from usage`,
    )
    await client.end()
    expect(stored.rows).toEqual([{ crawls: limit, messages: 4_000, searches: limit, daily: limit }])
  })
})
