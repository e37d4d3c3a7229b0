import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { openTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { bytesOfSource } from '../../support/files/stored-files'

// A backup contains a database and its files in the same state, also while both change.

interface Place {
  organization: string
  collection: string
}

async function furnish(app: App): Promise<Place> {
  const { id: organization } = await app.services.organizations.create(system, { name: 'Local', entity_name: '' })
  const { id: collection } = await app.services.collections.create(system, organization, {
    name: 'Files',
    description: '',
  })
  return { organization, collection }
}

async function upload(app: App, { organization, collection }: Place, name: string, text: string): Promise<string> {
  const ref = { organizationId: organization, collectionId: collection }
  const receive = await app.services.fileSources.receiver(system, ref)
  const file = await receive(name, Readable.from([Buffer.from(text)]))
  return (await app.services.fileSources.create(system, ref, { name: '' }, file)).id
}

async function textsOf(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'files')
  const names = (await readdir(folder)).filter((name) => name !== 'incoming')
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).sort()
}

describe('a backup', () => {
  let cli: TestCli
  let archives: string
  beforeAll(async () => {
    cli = await createTestCli()
    archives = await mkdtemp(join(tmpdir(), 'sitelore-backup-'))
  })

  it('contains the file of every row while files are added and deleted', async () => {
    const { app } = await openTestApp({ DATA_DIR: cli.dataDir })
    const place = await furnish(app)
    await upload(app, place, 'first.txt', 'the first one')
    let changing = true
    const changes = (async () => {
      for (let created = 0; changing; created++) {
        const id = await upload(app, place, `passing-${created}.txt`, `passing ${created}`)
        await app.services.sources.remove(system, {
          organizationId: place.organization,
          collectionId: place.collection,
          sourceId: id,
        })
        await app.services.purge.source(id)
        await upload(app, place, `staying-${created}.txt`, `staying ${created}`)
        await setImmediate()
      }
    })()
    const archive = join(archives, 'busy.tar.gz')
    const { code, err } = await cli.run(['backup', '--to', archive])
    changing = false
    await changes
    await app.close()
    expect(code, err).toBe(0)

    const otherCli = await createTestCli({ DATA_DIR: await mkdtemp(join(tmpdir(), 'sitelore-new-')) })
    expect((await otherCli.run(['restore', archive])).code).toBe(0)
    const { app: restored } = await openTestApp({ DATA_DIR: otherCli.dataDir })
    const { docs, total } = await restored.services.sources.list(
      system,
      { organizationId: place.organization, collectionId: place.collection },
      {
        page: 1,
        limit: 100,
      },
    )
    expect(total).toBeGreaterThan(0)
    for (const { id, file_name } of docs) {
      const text = (await bytesOfSource(restored, id)).toString()
      expect(text).toBe(file_name === 'first.txt' ? 'the first one' : file_name?.replace('-', ' ').replace('.txt', ''))
    }
    await restored.close()
  })

  it('moves the existing files and their database aside for a backup without files', async () => {
    const empty = await createTestCli()
    const { app } = await openTestApp({ DATA_DIR: empty.dataDir })
    await furnish(app)
    await app.close()
    await rm(join(empty.dataDir, 'files'), { recursive: true, force: true })
    const archive = join(archives, 'empty.tar.gz')
    expect((await empty.run(['backup', '--to', archive])).code).toBe(0)

    const otherCli = await createTestCli()
    const { app: before } = await openTestApp({ DATA_DIR: otherCli.dataDir })
    await upload(before, await furnish(before), 'kept.txt', 'not to be lost')
    await before.close()
    const { code, json } = await otherCli.run(['restore', archive, '--force', '--json'])
    expect(code).toBe(0)
    expect(await textsOf(String(json().aside))).toEqual(['not to be lost'])
    await expect(textsOf(otherCli.dataDir)).rejects.toThrow('ENOENT')
  })

  it('omits files that are deleted while it is written', async () => {
    const folder = join(cli.dataDir, 'files')
    const names = Array.from({ length: 300 }, () => crypto.randomUUID())
    for (const name of names) await writeFile(join(folder, name), 'soon gone')
    const removing = (async () => {
      for (const name of names) await rm(join(folder, name))
    })()
    const answer = await cli.run(['backup', '--to', join(archives, 'removing.tar.gz')])
    await removing
    expect(answer.code, answer.err).toBe(0)
  })
})
