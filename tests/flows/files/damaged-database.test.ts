import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import express from 'express'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDatabase } from '../../../cli/check/check-data'
import { SQLite } from '../../../db/sqlite-driver'
import { type App, createApp } from '../../../server/app'
import { readConfig } from '../../../server/config/config'
import { readyz } from '../../../server/http/health'
import { openTestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'

/** The data folder of an installation that was used and stopped. */
let dataDir: string
beforeEach(async () => {
  const { app, dataDir: folder } = await openTestApp()
  await app.close()
  dataDir = folder
})

/** Damages the last pages: the file opens, but its content cannot be read. */
function damagePages(): void {
  const file = join(dataDir, 'sitelore.db')
  const { size } = statSync(file)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(5 * 4_096, 0xa5), 0, 5 * 4_096, size - 5 * 4_096)
  closeSync(handle)
}

/** Adds a table of 70 MB, which is too large for a check before the start. */
function enlarge(): void {
  const db = new SQLite(join(dataDir, 'sitelore.db'))
  db.exec('create table large (bytes blob)')
  for (let row = 0; row < 70; row++) db.exec('insert into large values (zeroblob(1000000))')
  db.close()
}

/** The output of a starting server, and its exit code. */
async function startServer(environment: Record<string, string> = {}): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, ['build/app/index.js'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', NODE_ENV: 'production', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, printed: out + err }
}

describe('the server', () => {
  it.each([
    ['an empty database', () => writeFileSync(join(dataDir, 'sitelore.db'), ''), /sitelore\.db is empty/],
    ['damaged pages', damagePages, /sitelore\.db is damaged: .*restore/],
    ['a broken secret', () => writeFileSync(join(dataDir, 'secrets', 'signing.json'), '{'), /signing\.json is damaged/],
  ])('exits with one line for %s', async (_what, damage, line) => {
    damage()
    const { code, printed } = await startServer()
    expect(printed).toMatch(line)
    expect(printed).toMatch(/^[^\n]+\n$/)
    expect(code).toBe(1)
  })

  it('exits with one line for a DEFAULT_PLAN that does not exist', async () => {
    const { code, printed } = await startServer({ DEFAULT_PLAN: 'gold' })
    expect([code, printed]).toEqual([
      1,
      "DEFAULT_PLAN: there is no plan 'gold'. Create it with: sitelore plans set gold\n",
    ])
  })
})

describe('the command line', () => {
  it.each([
    ['an empty database', () => writeFileSync(join(dataDir, 'sitelore.db'), '')],
    ['a broken secret', () => writeFileSync(join(dataDir, 'secrets', 'sealing.key'), '')],
  ])('exits with one line for %s', async (_what, damage) => {
    damage()
    const cli = await createTestCli({ DATA_DIR: dataDir })
    const { code, out, err } = await cli.run(['search', 'lamps'])
    expect(err).toMatch(/^[^\n]*(empty|damaged)[^\n]*backup[^\n]*\n$/)
    expect([code, out]).toEqual([1, ''])
    const json = await cli.run(['search', 'lamps', '--json'])
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: 'damaged' } })
  })

  it('reports an empty file as a problem in doctor', async () => {
    const file = join(dataDir, 'sitelore.db')
    expect(await checkDatabase(file)).toMatchObject({ status: 'ok' })
    writeFileSync(file, '')
    expect(await checkDatabase(file)).toMatchObject({ status: 'problem', fix: expect.stringContaining('restore') })
    expect(readFileSync(file)).toHaveLength(0)
  })
})

describe('a large database', () => {
  it('is checked in the background; the server is not ready if it is damaged', async () => {
    enlarge()
    damagePages()
    const { app } = await openTestApp({ DATA_DIR: dataDir })
    await app.databaseCheck.start()
    await expect.poll(() => app.databaseCheck.damage()).toMatch(/is damaged: .*restore/)
    expect(await readiness(app)).toEqual([503, expect.objectContaining({ ok: false, database: 'damaged' })])
    await app.close()
  })

  it('is served while it is checked, and a stop does not wait for the check', async () => {
    enlarge()
    const { app } = await openTestApp({ DATA_DIR: dataDir })
    await app.databaseCheck.start()
    expect(await readiness(app)).toEqual([200, expect.objectContaining({ ok: true, database: 'ready' })])
    await app.close()
    expect(app.databaseCheck.damage()).toBeNull()
  })
})

async function readiness(app: App): Promise<[number, unknown]> {
  const server = express().get('/readyz', readyz(app)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
  const body = await response.json()
  server.close()
  return [response.status, body]
}

it('recognizes uploads without a database as an installation that lost it', async () => {
  const file = join(dataDir, 'sitelore.db')
  mkdirSync(join(dataDir, 'files'), { recursive: true })
  writeFileSync(join(dataDir, 'files', crypto.randomUUID()), 'All lamps.')
  rmSync(file)
  const config = readConfig({ DATA_DIR: dataDir })
  await expect(createApp(config)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/files.*sitelore\.db is missing/),
  })
  expect(existsSync(file)).toBe(false)
})

it('writes nothing to a folder whose database it rejects', async () => {
  rmSync(join(dataDir, 'secrets'), { recursive: true })
  writeFileSync(join(dataDir, 'sitelore.db'), '')
  await expect(createApp(readConfig({ DATA_DIR: dataDir }))).rejects.toThrow('is empty')
  expect(readdirSync(dataDir)).toEqual(['sitelore.db'])
})
