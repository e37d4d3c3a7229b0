import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as tar from 'tar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { addresses, fragments } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { organizations } from '../../../db/schema/organizations'
import { settings } from '../../../db/schema/settings'
import { messages, threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { createTestApp, type TestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { uploadFile } from '../../support/files/file-sources'
import { createPerson } from '../../support/people/people'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { lampPages } from '../../support/sites/lamp-pages'
import { type Site, startSite } from '../../support/sites/site'

const secrets = { provider: 'key-of-the-provider', default: 'default-provider-key', header: 'header-of-the-site' }

let site: Site
let home: CrawledCollection
let target: TestApp
let folder: string
let archive: string
let threadId: string
let agentId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitelore-transfer-'))
  archive = join(folder, 'fennel.tar.gz')
  site = await startSite(lampPages())
  home = await createCollection()
  target = await createTestApp()
  const { app, runner } = home.test
  await app.services.organizations.update(system, home.orgId, {
    default_agent_provider: 'openai',
    default_agent_provider_key: secrets.default,
    thread_days: 30,
  })
  await home.add({ type: 'domain', url: site.origin, headers: { 'X-Secret': secrets.header } })
  await uploadFile(app, home, 'prices.txt', 'The Storm 40 costs 89 euros.\n')
  await runner.idle()
  const agent = { name: 'Guide', description: 'Knows lamps', useDefaults: false }
  agentId = (await app.services.agents.create(system, home.orgId, agent)).id
  const ref = { organizationId: home.orgId, agentId }
  await app.services.agents.saveSettings(system, ref, {
    provider: 'openai',
    model: 'gpt-4.1-nano',
    provider_key: secrets.provider,
  })
  await app.services.agents.link(system, ref, { collectionId: home.collectionId })
  await app.db.write(async (tx) => {
    const values = {
      organizationId: home.orgId,
      agentId,
      title: 'Which lamp?',
      visitorTokenHash: 'hash-of-the-visitor',
    }
    const [thread] = await tx.insert(threads).values(values).returning({ id: threads.id })
    threadId = thread?.id ?? ''
    // An answer is always later than its question.
    for (const [n, role] of (['user', 'agent'] as const).entries())
      await tx
        .insert(messages)
        .values({ threadId, role, content: `By the ${role}`, status: 2, createdAt: new Date(Date.now() + n) })
  })
  // Another organization, of which nothing may be in the archive.
  const neighbour = await createCollection({}, 'Neighbour', home.test)
  await uploadFile(app, neighbour, 'private.txt', 'Only the neighbour knows.')
  await runner.idle()
}, 120_000)
afterAll(async () => {
  await Promise.all([home.test.close(), target.close(), site.close()])
  await rm(folder, { recursive: true, force: true })
})

const show = () => {}
const exporting = (file: string, signal = new AbortController().signal) =>
  home.test.app.services.exportOrganization(system, home.orgId, { target: file, version: '1.2.3', show, signal })
const importing = (file: string, name: string | null = null, signal = new AbortController().signal) =>
  target.app.services.importOrganization(system, { archive: file, name, administrator: null, show, signal })

async function search(app: App, organizationId: string): Promise<string[]> {
  const { docs } = await app.services.collections.list(system, organizationId, { page: 1, limit: 10 })
  const request = { collectionId: docs[0]?.id ?? '', query: 'linen shade', limit: 5, threshold: 0.1 }
  const found = await app.services.search.find(organizationId, request)
  return found.fragments.map(({ title }) => title)
}

async function unpacked(file: string): Promise<string> {
  const copy = await mkdtemp(join(folder, 'unpacked-'))
  await tar.extract({ file, cwd: copy })
  return copy
}

it('is written without secrets, people, or anything of another organization', async () => {
  const report = await exporting(archive)
  expect(report).toMatchObject({ file: archive, files: 1, missing: [] })
  const copy = await unpacked(archive)
  expect((await readdir(copy)).sort()).toEqual(['files', 'manifest.json', 'organization.json', 'rows'])
  let all = ''
  for (const name of await readdir(copy, { recursive: true, withFileTypes: true }))
    if (name.isFile()) all += await readFile(join(name.parentPath, name.name), 'utf8')
  expect(all).toContain('The shade is woven from linen')
  expect(all).toContain('By the agent')
  expect(all).toContain('The Storm 40 costs 89 euros.')
  const stored = await home.test.app.db.read.select().from(agents)
  const sealed = stored.flatMap(({ providerKey }) => providerKey ?? [])
  expect(sealed).toHaveLength(1)
  for (const text of [...Object.values(secrets), ...sealed, 'hash-of-the-visitor', 'Only the neighbour knows', 'v1.'])
    expect(all, text).not.toContain(text)
  expect(existsSync(`${archive}.export`)).toBe(false)
  await expect(exporting(archive)).rejects.toMatchObject({ code: 'conflict' })
})

it('brings collections, content, files, agents and threads to another installation, searchable at once', async () => {
  const { app, runner } = target
  const { organization, files, skipped } = await importing(archive)
  expect({ files, skipped }).toEqual({ files: 1, skipped: 0 })
  expect(organization.name).toBe('Fennel')
  expect(organization.id).not.toBe(home.orgId)
  // A search index on a server of its own is fed in the background.
  if (engine === 'postgres') await runner.idle()
  expect(await search(app, organization.id)).toEqual(await search(home.test.app, home.orgId))
  expect(await search(app, organization.id)).toContain('Meadow bedroom lamp')

  const of = (db: App['db'], id: string) =>
    db.read.select().from(fragments).where(eq(fragments.organizationId, id)).orderBy(fragments.key)
  const [copies, originals] = [await of(app.db, organization.id), await of(home.test.app.db, home.orgId)]
  const texts = (rows: typeof copies) =>
    rows.map(({ text, ordinal, anchor, hash }) => ({ text, ordinal, anchor, hash }))
  const sorted = (rows: ReturnType<typeof texts>) => rows.map((row) => JSON.stringify(row)).sort()
  expect(sorted(texts(copies))).toEqual(sorted(texts(originals)))
  const old = new Set(originals.map(({ id }) => id))
  expect(copies.filter(({ id }) => old.has(id))).toEqual([])

  const { docs: found } = await app.services.agents.list(system, organization.id, { page: 1, limit: 10 })
  expect(found).toMatchObject([{ name: 'Guide', provider_key: null, collection_id: expect.any(String) }])
  const { docs } = await app.services.threads.list(system, organization.id, { page: 1, limit: 10 })
  expect(docs).toMatchObject([{ title: 'Which lamp?', agent: { name: 'Guide' } }])
  expect(docs[0]?.id).not.toBe(threadId)
  const ref = { organizationId: organization.id, threadId: docs[0]?.id ?? '' }
  const { messages: said } = await app.services.threads.get(system, ref)
  expect(said.map(({ content }) => content)).toEqual(['By the user', 'By the agent'])
  const [settingsOf] = await app.db.read.select().from(organizations).where(eq(organizations.id, organization.id))
  expect(settingsOf).toMatchObject({ threadDays: 30, defaultAgentProvider: 'openai', defaultAgentProviderKey: null })
  // The next refresh asks the site only for what changed.
  const known = await app.db.read.select().from(addresses).where(eq(addresses.organizationId, organization.id))
  expect(known.filter(({ textHash }) => textHash !== null).length).toBeGreaterThan(5)
  await runner.idle()
  const event = (await app.services.audit.list(system, organization.id)).find(
    ({ action }) => action === 'organization.imported',
  )
  expect(event?.subject.id).toBe(organization.id)
})

it('can be imported again under another name, beside the first', async () => {
  const again = await importing(archive, 'Fennel 2')
  expect(again.organization.name).toBe('Fennel 2')
  const all = await target.app.services.installation.organizations()
  expect(all.map(({ name }) => name)).toEqual(['Fennel', 'Fennel 2'])
})

it('is invisible until it is complete, and continues where it was interrupted', async () => {
  const { app } = target
  const before = (await app.services.installation.organizations()).length
  const stopping = new AbortController()
  let batches = 0
  const stopped = app.services.importOrganization(system, {
    archive,
    name: 'Interrupted',
    administrator: null,
    show: () => {
      batches += 1
      if (batches === 8) stopping.abort()
    },
    signal: stopping.signal,
  })
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  expect(await app.services.installation.organizations()).toHaveLength(before)
  const [state] = await app.db.read
    .select()
    .from(settings)
    .where(eq(settings.name, await stateName(app)))
  const begun = JSON.parse(state?.value ?? '{}') as { organizationId: string; imported: number }
  expect(begun.imported).toBeGreaterThan(0)
  const { organization, rows } = await importing(archive)
  expect(organization).toEqual({ id: begun.organizationId, name: 'Interrupted' })
  const [first] = await app.services.installation.organizations()
  const count = (id: string) => app.db.read.$count(fragments, eq(fragments.organizationId, id))
  expect(await count(organization.id)).toBe(await count(first?.id ?? ''))
  expect(rows).toBe((await importing(archive, 'Once more')).rows)
})

async function stateName(app: App): Promise<string> {
  const rows = await app.db.read.select().from(settings)
  return rows.find(({ name }) => name.startsWith('import '))?.name ?? ''
}

it('continues an interrupted export, and refuses the folder of another organization', async () => {
  const file = join(folder, 'interrupted.tar.gz')
  const stopping = new AbortController()
  const stopped = home.test.app.services.exportOrganization(system, home.orgId, {
    target: file,
    version: '1.2.3',
    show: (step) => {
      if (step.includes('fragments')) stopping.abort()
    },
    signal: stopping.signal,
  })
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  expect(existsSync(file)).toBe(false)
  const steps: string[] = []
  const report = await home.test.app.services.exportOrganization(system, home.orgId, {
    target: file,
    version: '1.2.3',
    show: (step) => void steps.push(step),
    signal: new AbortController().signal,
  })
  expect(report.rows).toBeGreaterThan(0)
  expect(steps).not.toContain('Exporting addresses')
  expect(steps).toContain('Exporting messages')
  const [left, right] = await Promise.all([unpacked(archive), unpacked(file)])
  const rowsIn = async (copy: string) => JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8')).rows
  expect(await rowsIn(right)).toEqual(await rowsIn(left))
})

it.each([
  ['a changed row', (copy: string) => writeFile(join(copy, 'rows', 'messages.jsonl'), '{}\n'), 'is damaged'],
  ['a missing file', (copy: string) => rm(join(copy, 'organization.json')), 'organization.json is damaged'],
  ['another file', (copy: string) => writeFile(join(copy, 'rows', 'users.jsonl'), '{}\n'), 'does not belong to it'],
  ['no manifest', (copy: string) => rm(join(copy, 'manifest.json')), 'no manifest.json'],
])('is refused with %s, and stores nothing', async (_what, change, message) => {
  const copy = await unpacked(archive)
  await change(copy)
  const changed = join(folder, `${crypto.randomUUID()}.tar.gz`)
  await tar.create({ cwd: copy, gzip: true, file: changed }, await readdir(copy))
  const before = await target.app.db.read.$count(organizations)
  await expect(importing(changed)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(message),
  })
  expect(await target.app.db.read.$count(organizations)).toBe(before)
  expect((await readdir(target.dataDir)).filter((name) => name.startsWith('.staging-'))).toEqual([])
})

it('is refused when it is a part of an archive, or a newer version wrote it', async () => {
  const cut = join(folder, 'cut.tar.gz')
  const bytes = await readFile(archive)
  await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length / 2)))
  await expect(importing(cut)).rejects.toMatchObject({ code: 'invalid_input' })
  const text = join(folder, 'text.tar.gz')
  await cp(new URL(import.meta.url), text)
  await expect(importing(text)).rejects.toMatchObject({ code: 'invalid_input' })

  const copy = await unpacked(archive)
  const rows = join(copy, 'rows', 'agents.jsonl')
  const [line = '{}'] = (await readFile(rows, 'utf8')).split('\n')
  const changed = `${JSON.stringify({ ...JSON.parse(line), column_of_tomorrow: 1 })}\n`
  await writeFile(rows, changed)
  const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'))
  manifest.checksums['rows/agents.jsonl'] = createHash('sha256').update(changed).digest('hex')
  await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest))
  const newer = join(folder, 'newer.tar.gz')
  await tar.create({ cwd: copy, gzip: true, file: newer }, await readdir(copy))
  const before = await target.app.db.read.$count(organizations)
  await expect(importing(newer)).rejects.toMatchObject({
    message: expect.stringContaining('version 1.2.3 wrote it, and this version is older. Update first'),
  })
  expect(await target.app.db.read.$count(organizations)).toBe(before)
})

it('is for administrators to export, and for the operators to import', async () => {
  const member = await createPerson(home.test.app, { [home.orgId]: 'member' })
  const options = { version: '1.2.3', show, signal: new AbortController().signal }
  const file = join(folder, 'member.tar.gz')
  await expect(
    home.test.app.services.exportOrganization(member, home.orgId, { ...options, target: file }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  const guest = await createPerson(target.app, {})
  await expect(
    target.app.services.importOrganization(guest, { ...options, archive, name: null, administrator: null }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

it('is a pair of commands', async () => {
  const cli = await createTestCli({ DATA_DIR: home.test.dataDir })
  const file = join(folder, 'by-command.tar.gz')
  const exported = await cli.run(['organizations', 'export', 'Fennel', '--to', file])
  expect(exported).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\S+by-command\.tar\.gz {2}0\.\d MB, \d+ rows and 1 file\n$/),
  })
  const there = await createTestCli({ DATA_DIR: target.dataDir })
  const ada = await createPerson(target.app, {})
  const command = ['organizations', 'import', file, '--name', 'By command', '--administrator']
  expect(await there.run([...command, 'nobody@example.com'])).toMatchObject({ code: 1 })
  const imported = await there.run([...command, ada.email.toUpperCase()])
  expect(imported.out).toMatch(/^Imported By command \(\S+\): \d+ rows and 1 file\.\n/)
  const user = await target.app.services.accounts.currentUser(ada)
  expect(user.org_connections).toMatchObject([{ role: 'admin', organization: { name: 'By command' } }])
  expect(await there.run(['organizations', 'import', file, '--name', ' '])).toMatchObject({ code: 2 })
  expect(await there.run(['organizations', 'import', 'nothing.tar.gz'])).toMatchObject({ code: 2 })
})
