import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { collections } from '../../../db/schema/collections'
import { members, organizations } from '../../../db/schema/organizations'
import { accounts, links, oidcPayloads, sessions, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { openTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { createPerson } from '../../support/people/people'

let cli: TestCli

/** Opens the product on the data folder of the commands. Nobody runs its jobs. */
async function inApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const { app } = await openTestApp({ DATA_DIR: cli.dataDir })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

const create = (name: string) =>
  inApp(async (app) => (await app.services.organizations.create(system, { name, entity_name: '' })).id)
const names = async () =>
  ((await cli.run(['organizations', '--json'])).json() as { organizations: { name: string }[] }).organizations.map(
    ({ name }) => name,
  )

beforeEach(async () => {
  cli = await createTestCli()
})

describe('sitelore organizations', () => {
  it('lists organizations with plan and members', async () => {
    expect((await cli.run(['organizations'])).out).toBe('There is no organization yet.\n')
    const id = await create('Fennel')
    await create('Dill & Co')
    await inApp((app) => createPerson(app, { [id]: 'admin' }))
    const { out } = await cli.run(['organizations', 'list'])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^Fennel {5}${id} {2}20\\d\\d-\\d\\d-\\d\\d {2}unlimited {2}1 member$`))
    expect(lines[1]).toMatch(/^Dill & Co {2}\S+ {2}\S+ {2}unlimited {2}0 members$/)
    expect((await cli.run(['organizations', '--json'])).json()).toMatchObject({
      organizations: [{ id, name: 'Fennel', plan: 'unlimited', members: 1 }, { members: 0 }],
    })
  })

  it('deletes one after --yes, with its content, and no other', async () => {
    const [id, otherText] = [await create('Fennel'), await create('Dill')]
    await inApp(async (app) => {
      for (const organization of [id, otherText])
        await app.services.collections.create(system, organization, { name: 'Docs', description: '' })
    })
    const unconfirmed = await cli.run(['organizations', 'delete', 'Fennel'])
    expect([unconfirmed.code, unconfirmed.err]).toEqual([2, expect.stringContaining('Add --yes to confirm.')])
    expect(await names()).toEqual(['Fennel', 'Dill'])

    const deleted = await cli.run(['organizations', 'delete', id, '--yes', '--json'])
    expect(deleted.json()).toEqual({ organization: { id, name: 'Fennel' } })
    expect(await names()).toEqual(['Dill'])
    const left = await inApp((app) => app.db.read.select({ of: collections.organizationId }).from(collections))
    expect(left).toEqual([{ of: otherText }])
    const missing = await cli.run(['organizations', 'delete', 'Fennel', '--yes'])
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("There is no organization 'Fennel'.")])
  })
})

describe('sitelore audit', () => {
  it('shows what concerns the installation, and with --organization what concerns that one', async () => {
    expect((await cli.run(['audit'])).out).toBe('Nothing is recorded yet.\n')
    const [id, otherText] = [await create('Fennel'), await create('Dill')]
    const edit = (name: string) => inApp((app) => app.services.organizations.update(system, id, { name }))
    await edit('Basil')
    await cli.run(['plans', 'set', 'team', '--urls', '5'])
    await cli.run(['organizations', 'delete', otherText, '--yes'])
    const { out } = await cli.run(['audit'])
    const lines = out.trimEnd().split('\n')
    const time = '20\\d\\d-\\d\\d-\\d\\dT[\\d:]{8}'
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(new RegExp(`^${time}  Command line  Deleted the organization  Dill$`))
    expect(lines[1]).toMatch(new RegExp(`^${time}  Command line  Edited a plan  team  `))
    expect((await cli.run(['audit', '--organization', 'Basil', '--json'])).json()).toMatchObject({
      events: [{ action: 'organization.edited', subject: { id, name: 'Basil' }, changes: [{ field: 'name' }] }],
    })
    const person = await inApp((app) => createPerson(app, { [id]: 'admin' }, { staff: true }))
    await expect(inApp((app) => app.services.audit.listInstallation(person))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('sitelore users delete', () => {
  const ada = 'ada@example.com'

  /** Ada with an account, a session, a grant and a link, as administrator of the organizations. */
  async function addAda(administered: string[]): Promise<void> {
    await inApp(({ db }) =>
      db.write(async (tx) => {
        const person = { email: ada, emailNormalized: ada }
        await tx.insert(accounts).values({ ...person, id: 'ada', passwordHash: 'none' })
        await tx.insert(users).values({ ...person, id: 'u-ada', issuer: 'embedded', subject: 'ada' })
        const expiresAt = new Date(Date.now() + 60_000)
        await tx.insert(sessions).values({ id: 's', userId: 'u-ada', expiresAt })
        await tx.insert(links).values({ id: 'l', purpose: 'reset', email: ada, expiresAt })
        await tx.insert(oidcPayloads).values({ id: 'Grant:g', model: 'Grant', payload: '{"accountId":"ada"}' })
        for (const organizationId of administered)
          await tx.insert(members).values({ organizationId, userId: 'u-ada', role: 'admin' })
      }),
    )
  }

  const rolesIn = (organizationId: string) =>
    inApp((app) =>
      app.db.read
        .select({ user: members.userId, role: members.role })
        .from(members)
        .where(eq(members.organizationId, organizationId)),
    )

  it('deletes the account with everything of it, and keeps what was created', async () => {
    const id = await create('Fennel')
    const second = await inApp((app) => createPerson(app, { [id]: 'admin' }))
    await addAda([id])
    await inApp((app) => app.db.writeOne((tx) => tx.update(organizations).set({ createdBy: 'u-ada' })))
    const unconfirmed = await cli.run(['users', 'delete', ada])
    expect([unconfirmed.code, unconfirmed.err]).toEqual([2, expect.stringContaining('Add --yes to confirm.')])
    const deleted = await cli.run(['users', 'delete', ' ADA@example.com', '--yes'])
    expect([deleted.code, deleted.out, deleted.err]).toEqual([0, ' ADA@example.com is deleted.\n', ''])
    await inApp(async ({ db }) => {
      for (const table of [accounts, sessions, links, oidcPayloads]) expect(await db.read.$count(table)).toBe(0)
      expect((await db.read.select({ id: users.id }).from(users)).map((user) => user.id)).toEqual([second.userId])
    })
    expect(await rolesIn(id)).toEqual([{ user: second.userId, role: 'admin' }])
    expect(await names()).toEqual(['Fennel'])
  })

  it('refuses to delete the last administrator of organizations unless another one is named', async () => {
    const [first, second] = [await create('Fennel'), await create('Dill')]
    const grace = await inApp((app) => createPerson(app, { [first]: 'viewer' }))
    await addAda([first, second])
    const refused = await cli.run(['users', 'delete', ada, '--yes'])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`Fennel  (${first})\n  Dill  (${second})`)])
    for (const [successor, says] of [
      ['nobody@example.com', 'No account has the e-mail address nobody@example.com.'],
      [ada, 'Name another person as the administrator.'],
    ] as const) {
      const { code, err } = await cli.run(['users', 'delete', ada, '--yes', '--administrator', successor])
      expect([code > 0, err]).toEqual([true, `${says}\n`])
    }
    expect((await rolesIn(first)).length).toBe(2)

    const done = await cli.run(['users', 'delete', ada, '--yes', '--administrator', grace.email, '--json'])
    expect(done.json()).toEqual({ email: ada, deleted_organizations: [] })
    for (const id of [first, second]) expect(await rolesIn(id)).toEqual([{ user: grace.userId, role: 'admin' }])
  })

  it('deletes organizations that would have no administrator if told to, and no others', async () => {
    const [own, shared] = [await create('Fennel'), await create('Dill')]
    await inApp((app) => createPerson(app, { [own]: 'member', [shared]: 'admin' }))
    await addAda([own, shared])
    const both = await cli.run(['users', 'delete', ada, '--delete-organizations', '--administrator', 'x@example.com'])
    expect(both.code).toBe(2)
    const done = await cli.run(['users', 'delete', ada, '--yes', '--delete-organizations'])
    expect(done.out).toBe(`Fennel is deleted.\n${ada} is deleted.\n`)
    expect(await names()).toEqual(['Dill'])
  })

  it('exits with 1 for an unknown person', async () => {
    const { code, err } = await cli.run(['users', 'delete', 'eve@example.com', '--yes'])
    expect([code, err]).toEqual([1, 'No account has the e-mail address eve@example.com.\n'])
  })
})
