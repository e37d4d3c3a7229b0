import { afterAll, beforeAll, expect, it } from 'vitest'
import { messages, threads } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { createTestCli } from '../../support/cli'
import { createPerson } from '../../support/people/people'

let test: TestApp
let home: string
let elsewhere: string
beforeAll(async () => {
  test = await createTestApp()
  const create = async (name: string) =>
    (await test.app.services.organizations.create(system, { name, entity_name: '' })).id
  home = await create('Lamps')
  elsewhere = await create('Other')
})
afterAll(() => test.close())

interface Visitor {
  externalUserId?: string
  externalUserEmail?: string
  externalSessionId?: string
}

async function talk(organizationId: string, visitor: Visitor): Promise<string> {
  const threadId = crypto.randomUUID()
  await test.app.db.write(async (tx) => {
    await tx.insert(threads).values({ id: threadId, organizationId, title: 'Which lamp?', ...visitor })
    await tx.insert(messages).values({ threadId, role: 'user', content: 'Which lamp?', status: 1 })
  })
  return threadId
}

async function remaining(): Promise<string[]> {
  return (await test.app.db.read.select({ id: threads.id }).from(threads)).map(({ id }) => id)
}

const erase = (key: 'user' | 'email' | 'session' | 'thread', value: string) =>
  test.app.services.eraseVisitor(system, home, key, value)

it('deletes all conversations of one visitor, of this organization alone', async () => {
  const ada = { externalUserId: '4711', externalUserEmail: 'Ada@example.com', externalSessionId: 's1' }
  const own = [await talk(home, ada), await talk(home, { ...ada, externalSessionId: 's2' })]
  const grace = await talk(home, { externalUserId: '4712', externalUserEmail: 'grace@example.com' })
  const foreign = await talk(elsewhere, ada)
  expect(await erase('session', 's2')).toBe(1)
  expect(await remaining()).not.toContain(own[1])
  expect(await erase('email', ' ada@EXAMPLE.com ')).toBe(1)
  expect((await remaining()).sort()).toEqual([grace, foreign].sort())
  expect(await erase('user', '4712')).toBe(1)
  await expect(erase('thread', foreign)).rejects.toMatchObject({ code: 'not_found' })
  expect(await remaining()).toEqual([foreign])
  const kept = await test.app.db.read.select({ threadId: messages.threadId }).from(messages)
  expect(kept).toEqual([{ threadId: foreign }])
})

it('deletes more than one batch', async () => {
  for (let n = 0; n < 120; n++) await talk(home, { externalUserId: 'many' })
  expect(await erase('user', 'many')).toBe(120)
})

it('is for those who may delete threads', async () => {
  await talk(home, { externalUserId: '1' })
  const viewer = await createPerson(test.app, { [home]: 'viewer' })
  const stranger = await createPerson(test.app, { [elsewhere]: 'admin' })
  await expect(test.app.services.eraseVisitor(viewer, home, 'user', '1')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(test.app.services.eraseVisitor(stranger, home, 'user', '1')).rejects.toMatchObject({ code: 'not_found' })
})

it('is a command that names the visitor in one way', async () => {
  const cli = await createTestCli({ DATA_DIR: test.dataDir })
  await talk(home, { externalUserId: 'of the command' })
  const run = (...argv: string[]) => cli.run(['threads', 'erase', '--organization', 'Lamps', ...argv])
  expect((await run('--user', 'of the command')).out).toBe('Deleted 1 conversation.\n')
  for (const wrong of [[], ['--user', '1', '--email', 'a@example.com'], ['--user', ' ']])
    expect(await run(...wrong)).toMatchObject({ code: 2, err: expect.stringContaining('by one of --user') })
  expect((await run('--user', 'nobody')).err).toContain('No conversation of this visitor was found.')
})
