import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { createTestApp, openTestApp, type TestApp } from '../support/app'
import { indexedKeys, storedRows, uploadFile } from '../support/files/file-sources'
import { bundleCrawlProcess } from '../support/sites/crawl-process-bundle'
import { testRandom } from '../support/test-random'
import { until } from '../support/until'

const lines = 16_000
const kills = 4

let program: string
beforeAll(async () => {
  program = await bundleCrawlProcess()
})

let child: ChildProcess | undefined
let test: TestApp | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
  await test?.close()
})

const table = (from: number, to: number) =>
  [
    'lamp,price,place',
    ...Array.from({ length: to - from }, (_, index) => `storm lamp ${from + index},${index % 97},hall`),
  ].join('\n')

/** A data folder with a file of two thousand fragments that waits for somebody to read it. */
async function prepare(content: string) {
  const { app, dataDir } = await openTestApp()
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Files', description: '' })
  const id = await uploadFile(app, { orgId, collectionId }, 'prices.csv', content)
  await app.close()
  return { dataDir, place: { orgId, collectionId }, id }
}

async function readToTheEnd(dataDir: string): Promise<App> {
  test = await createTestApp({ DATA_DIR: dataDir })
  await test.runner.idle()
  return test.app
}

/** Starts a process on the data folder and kills it `delayMs` after it has stored some of the file. */
async function killInTheMiddle(dataDir: string, stored: () => Promise<number>, delayMs: number): Promise<void> {
  const before = await stored()
  child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await until(async () => (await stored()) !== before, { everyMs: 5 })
  await sleep(delayMs)
  child.kill('SIGKILL')
  await ended
}

it('a file that is read ends the same however often the server is killed', async () => {
  const whole = await prepare(table(0, lines))
  const expected = (await storedRows(await readToTheEnd(whole.dataDir))).map(({ text }) => text)
  expect(expected.length).toBeGreaterThan(1_000)
  await test?.close()
  test = undefined

  const { dataDir, place, id } = await prepare(table(0, lines))
  const { app } = await openTestApp({ DATA_DIR: dataDir })
  const seen = new Set<number>()
  try {
    const random = testRandom()
    const stored = async () => (await storedRows(app)).length
    for (let kill = 0; kill < kills; kill++) {
      await killInTheMiddle(dataDir, stored, random() * 60)
      seen.add(await stored())
    }
  } finally {
    await app.close()
  }
  expect(seen.size).toBeGreaterThan(1)
  const end = await readToTheEnd(dataDir)
  const rows = await storedRows(end)
  expect(rows.map(({ text }) => text)).toEqual(expected)
  expect(rows.map(({ ordinal }) => ordinal)).toEqual(expected.map((_, index) => index))
  expect(await indexedKeys(end)).toEqual(rows.map(({ key }) => key).sort((first, second) => first - second))
  expect(
    await end.services.sources.get(system, {
      organizationId: place.orgId,
      collectionId: place.collectionId,
      sourceId: id,
    }),
  ).toMatchObject({
    status: 'idle',
    progress: null,
    last_run: { checked: 1, new: 1, fragments: expected.length },
  })
})

it('a file that takes the place of another does so once, however often the server is killed', async () => {
  const { dataDir, place, id } = await prepare(table(0, lines / 2))
  await readToTheEnd(dataDir)
  await test?.close()
  test = undefined
  const { app } = await openTestApp({ DATA_DIR: dataDir })
  try {
    const before = (await storedRows(app)).length
    await uploadFile(app, place, 'offers.csv', table(lines / 4, lines), id)
    const random = testRandom()
    const stored = async () => (await storedRows(app)).length
    for (let kill = 0; kill < 2; kill++) {
      await killInTheMiddle(dataDir, stored, random() * 60)
      expect(await stored()).toBeGreaterThan(before)
      expect(
        await app.services.sources.get(system, {
          organizationId: place.orgId,
          collectionId: place.collectionId,
          sourceId: id,
        }),
      ).toMatchObject({
        file_name: 'prices.csv',
        file: { replacement: { name: 'offers.csv' } },
      })
    }
  } finally {
    await app.close()
  }
  const end = await readToTheEnd(dataDir)
  const rows = await storedRows(end)
  expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, index) => index))
  const lamps = rows.flatMap(({ text }) => [...text.matchAll(/storm lamp (\d+)/g)].map(([, number]) => Number(number)))
  expect(lamps).toEqual(Array.from({ length: lines - lines / 4 }, (_, index) => lines / 4 + index))
  expect(await indexedKeys(end)).toEqual(rows.map(({ key }) => key).sort((first, second) => first - second))
  expect(
    await end.services.sources.get(system, {
      organizationId: place.orgId,
      collectionId: place.collectionId,
      sourceId: id,
    }),
  ).toMatchObject({
    status: 'idle',
    file_name: 'offers.csv',
    file: { replacement: null },
  })
  await end.services.files.removeLeftovers(new Date(Date.now() + 24 * 3_600_000))
  const kept = (await readdir(join(dataDir, 'files'))).filter((name) => name !== 'incoming')
  expect(kept).toHaveLength(1)
  expect(await readFile(join(dataDir, 'files', kept[0] ?? ''), 'utf8')).toContain(`storm lamp ${lines - 1},`)
})
