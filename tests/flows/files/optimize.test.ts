import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { fragments } from '../../../db/schema/addresses'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { addCollection } from '../../support/texts'

const open = new AbortController().signal
const textOf = (n: number) => `Lamp number ${n} shines ${'very brightly in the garden '.repeat(300)}.`

/** An organization with a collection of many texts that the keyword index does not have. */
async function fill({ app }: TestApp, count: number) {
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })
  const place = { organizationId, collectionId: crypto.randomUUID() }
  await addCollection(app, place)
  const { collectionId } = place
  const ids = { organizationId, collectionId, sourceId: `source-${collectionId}`, addressId: `address-${collectionId}` }
  const fixed = { ...ids, title: 'Care', headings: '', tokens: 3 }
  for (let first = 0; first < count; first += 100) {
    const rows = Array.from({ length: 100 }, (_, n) => {
      return { ...fixed, ordinal: first + n, text: textOf(first + n), hash: `hash ${first + n}` }
    })
    await app.db.write((tx) => tx.insert(fragments).values(rows))
  }
  return place
}

/** As a version before 0.2 made its files. */
function makeOld(dataDir: string): void {
  const connection = new SQLite(join(dataDir, 'sitelore.db'))
  connection.pragma('journal_mode = delete')
  connection.pragma('auto_vacuum = none')
  connection.exec('vacuum')
  connection.close()
}

async function removeOrganization({ app, runner }: TestApp, organizationId: string): Promise<void> {
  await app.services.organizationDeletion.remove(system, organizationId, { name: 'Lamps' })
  await runner.idle()
}

const sizeOf = async (dataDir: string) => (await stat(join(dataDir, 'sitelore.db'))).size

describe.runIf(engine === 'sqlite')('optimize', () => {
  it('gives back the space of a deleted organization while the server runs', async () => {
    const test = await createTestApp()
    const { organizationId } = await fill(test, 500)
    const { optimizer } = test.app.services
    const full = await optimizer.space()
    expect(full.shrinks).toBe(true)
    await removeOrganization(test, organizationId)
    expect((await optimizer.space()).free).toBeGreaterThan(full.bytes / 2)
    const cli = await createTestCli({ DATA_DIR: test.dataDir })
    const optimized = await cli.run(['optimize', '--json'])
    const report = optimized.json() as { before: number; after: number; kept: number }
    expect(report.after).toBeLessThan(report.before / 2)
    expect(report.kept).toBe(0)
    await test.close()
    expect(await sizeOf(test.dataDir)).toBeLessThan(report.before / 2)
  })

  it('gives back what exceeds a fifth by itself, and no less than 16 MB', async () => {
    const test = await createTestApp()
    const { organizationId } = await fill(test, 4_000)
    const { optimizer } = test.app.services
    await optimizer.sweep(open)
    await removeOrganization(test, organizationId)
    const before = await optimizer.space()
    await optimizer.sweep(open)
    const after = await optimizer.space()
    expect(after.bytes).toBeLessThan(before.bytes)
    const spare = Math.max(16 * 2 ** 20, before.bytes / 5)
    expect(after.free).toBeLessThanOrEqual(spare)
    expect(after.free).toBeGreaterThan(spare - 2 * 2 ** 20)
    await test.close()
  })

  it('shrinks the file of an older version only while the server is stopped, and from then on always', async () => {
    const cli = await createTestCli()
    makeOld(cli.dataDir)
    const test = await createTestApp({ DATA_DIR: cli.dataDir })
    const { organizationId } = await fill(test, 500)
    await removeOrganization(test, organizationId)
    const { optimizer } = test.app.services
    const whileServing = await optimizer.optimize({ isAlone: false, rebuildsIndex: false }, () => {}, open)
    expect(whileServing.kept).toBeGreaterThan(1e6)
    await test.close()
    const { out, code } = await cli.run(['optimize'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^The database has [\d.]+ MB, [\d.]+ MB before\./)])
    expect(await sizeOf(cli.dataDir)).toBeLessThan(whileServing.after / 2)
    const again = await createTestApp({ DATA_DIR: cli.dataDir })
    expect((await again.app.services.optimizer.space()).shrinks).toBe(true)
    await again.close()
  })

  it('indexes all texts again with --rebuild-index', async () => {
    const test = await createTestApp()
    const { organizationId, collectionId } = await fill(test, 100)
    const found = async () =>
      (await test.app.services.search.collection(system, organizationId, { collectionId, query: 'number 7' })).fragments
    expect(await found()).toEqual([])
    const cli = await createTestCli({ DATA_DIR: test.dataDir })
    expect((await cli.run(['optimize', '--rebuild-index'])).code).toBe(0)
    expect((await found()).length).toBeGreaterThan(0)
    await test.close()
  })
})
