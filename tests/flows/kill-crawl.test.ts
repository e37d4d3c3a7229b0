import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { system } from '../../server/actor'
import { type App, createApp } from '../../server/app'
import { createTestApp, testConfig } from '../support/app'
import { linkedPages } from '../support/linked-pages'
import { type Site, startSite } from '../support/site'

/** Addresses that one process reads at once: those may be read again after its end. */
const lanes = 3
const kills = 10

let site: Site | undefined
let child: ChildProcess | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
  await site?.close()
})

interface Stored {
  /** Address, place and hash of every fragment. */
  fragments: string[]
  addresses: { url: string; crawledAt: number }[]
}

/** A data folder with a source whose crawl waits for somebody to run it. */
async function prepare(origin: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-kill-'))
  const { config, log } = testConfig({ DATA_DIR: dataDir })
  const app = await createApp(config, { log })
  const { id: orgId } = await app.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.collections.create(system, orgId, { name: 'Pages', description: '' })
  const { id } = await app.sources.create(system, orgId, collectionId, { type: 'domain', name: '', url: origin })
  await app.close()
  return { dataDir, source: (open: App) => open.sources.get(system, orgId, collectionId, id) }
}

async function rows<Row extends Record<string, unknown>>({ db }: App, statement: string): Promise<Row[]> {
  return db.read.execute<Row>(sql.raw(statement))
}

async function stored(app: App): Promise<Stored> {
  const found = await rows<{ url: string; ordinal: number; hash: string }>(
    app,
    'select url, ordinal, hash from fragments join addresses on addresses.id = address_id order by url, ordinal',
  )
  return {
    fragments: found.map(({ url, ordinal, hash }) => `${new URL(url).pathname} ${ordinal} ${hash}`),
    addresses: (await rows<{ url: string; crawled_at: number; status: string }>(
      app,
      `select url, crawled_at, status from addresses order by url`,
    )).map(({ url, crawled_at }) => ({ url, crawledAt: crawled_at })),
  }
}
