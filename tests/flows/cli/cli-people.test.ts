import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { createTestApp } from '../../support/app'
import { createTestCli, type TestCli } from '../../support/cli'
import { startSmtpSink } from '../../support/people/smtp-sink'

describe('users, setup-link, token', () => {
  let cli: TestCli

  /** As after a sign-up by the embedded provider. */
  async function addAda() {
    const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir })
    const person = { email: 'Ada@example.com', emailNormalized: 'ada@example.com' }
    await app.db.write(async (tx) => {
      await tx.insert(accounts).values({ ...person, id: 'ada', passwordHash: 'none' })
      await tx.insert(users).values({ ...person, issuer: 'embedded', subject: 'ada' })
    })
    await close()
  }

  beforeEach(async () => {
    cli = await createTestCli({ PUBLIC_URL: 'https://ask.example.com' })
  })

  it('prints a set-up link until an account exists', async () => {
    const { code, out } = await cli.run(['setup-link'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^https:\/\/ask\.example\.com\/setup\?token=[\w-]{43}\n$/)])
    expect((await cli.run(['users'])).out).toContain('Nobody has an account yet')
    await addAda()
    const late = await cli.run(['setup-link'])
    expect([late.code, late.out, late.err]).toEqual([1, '', expect.stringContaining('An account already exists')])
  })

  it('lists, promotes, demotes, invites and resets', async () => {
    await addAda()
    expect((await cli.run(['users'])).out).toMatch(/^Ada@example\.com {2}20\d\d-\d\d-\d\d {2}user\n$/)
    const promoted = await cli.run(['users', 'promote', 'ada@example.com'])
    expect([promoted.code, promoted.out]).toEqual([0, 'Ada@example.com is now a platform administrator.\n'])
    expect((await cli.run(['users', 'list', '--json'])).json()).toMatchObject({
      users: [{ email: 'Ada@example.com', type: 1 }],
    })
    const demoted = await cli.run(['users', 'demote', 'ada@example.com'])
    expect([demoted.code, demoted.out]).toEqual([0, 'Ada@example.com is no longer a platform administrator.\n'])
    expect((await cli.run(['users', 'demote', 'ada@example.com', '--json'])).json()).toMatchObject({
      user: { email: 'Ada@example.com', type: 0 },
    })

    const invited = await cli.run(['users', 'invite', 'grace@example.com', '--json'])
    expect(invited.json()).toMatchObject({
      link: expect.stringMatching(/^https:\/\/ask\.example\.com\/invitation\?token=/),
    })
    const reset = await cli.run(['users', 'reset', 'ada@example.com', '--json'])
    expect(reset.json()).toMatchObject({ link: expect.stringMatching(/^https:\/\/ask\.example\.com\/reset\?token=/) })
  })

  it('creates, lists and revokes access tokens', async () => {
    await addAda()
    const create = ['token', 'create', 'ada@example.com', '--name']
    const created = await cli.run([...create, 'backup', '--days', '7'])
    expect(created.out).toMatch(/^sitelore_token_[\w-]{43}\n$/)
    const limited = (await cli.run([...create, 'reports', '--role', 'viewer', '--json'])).json()
    expect(limited).toMatchObject({ name: 'reports', role: 'viewer', token: expect.stringMatching(/^sitelore_token_/) })

    const listed = await cli.run(['token', 'list', 'ada@example.com'])
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    expect(listed.out.split('\n')[0]).toContain(`backup   own role  expires ${day}  never used  all organizations`)
    expect(listed.out).not.toContain(created.out.trim())
    const { tokens } = (await cli.run(['token', 'list', 'ada@example.com', '--json'])).json() as {
      tokens: { id: string; name: string }[]
    }
    expect(tokens.map(({ name }) => name)).toEqual(['backup', 'reports'])

    const id = tokens[0]?.id ?? ''
    expect((await cli.run(['token', 'revoke', id])).out).toBe('The token is revoked.\n')
    expect((await cli.run(['token', 'revoke', id])).code).toBe(1)
    expect((await cli.run(['token', 'list', 'ada@example.com'])).out).toMatch(/^\S+ {2}reports/)
  })

  it('limits a token to an organization that the person belongs to', async () => {
    await addAda()
    const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir })
    await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })
    await close()
    const create = ['token', 'create', 'ada@example.com', '--name', 'x', '--organization', 'Lamps']
    const { code, err } = await cli.run(create)
    expect([code, err]).toEqual([2, 'Choose an organization that the person belongs to.\n'])
  })

  it.each([
    ['users', 'promote'],
    ['users', 'demote'],
    ['users', 'reset'],
    ['token', 'list'],
  ])('%s %s of an unknown person exits with 1', async (...command) => {
    const { code, err } = await cli.run([...command.filter(Boolean), 'eve@example.com'])
    expect([code, err]).toEqual([1, 'No account has the e-mail address eve@example.com.\n'])
  })

  it('mails an invitation if a mail server is configured, and always prints its link', async () => {
    const sink = await startSmtpSink()
    const mailing = await createTestCli({ SMTP_URL: sink.url, MAIL_FROM: 'ask@example.com' })
    const invited = await mailing.run(['users', 'invite', 'grace@example.com'])
    expect([invited.code, invited.err]).toEqual([0, 'Sent to grace@example.com.\n'])
    const { text, headers } = sink.mailTo('grace@example.com')
    expect(text).toContain(invited.out.trim())
    expect(headers.subject).toBe('Your invitation to Sitelore')

    sink.reply = () => '550 no'
    const rejected = await mailing.run(['users', 'invite', 'edith@example.com'])
    expect([rejected.code, rejected.err]).toEqual([0, 'The e-mail could not be sent. Send the link yourself.\n'])
    expect(rejected.out).toContain('/invitation?token=')
    const json = await mailing.run(['users', 'invite', 'edith@example.com', '--json'])
    expect(json.json()).toMatchObject({ mailed: false })
    expect((await cli.run(['users', 'invite', 'edith@example.com', '--json'])).json()).toMatchObject({ mailed: null })
    await sink.close()
  })
})
