import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, users } from '../../db/schema/users'
import { createTestApp } from '../support/app'
import { createTestCli, type TestCli } from '../support/cli'

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
    expect([late.code, late.out, late.err]).toEqual([1, '', expect.stringContaining('There is an account already')])
  })

  it('lists, promotes, resets and issues tokens', async () => {
    await addAda()
    expect((await cli.run(['users'])).out).toMatch(/^Ada@example\.com {2}20\d\d-\d\d-\d\d {2}user\n$/)
    const promoted = await cli.run(['users', 'promote', 'ada@example.com'])
    expect([promoted.code, promoted.out]).toEqual([0, 'Ada@example.com is a platform administrator now.\n'])
    expect((await cli.run(['users', 'list', '--json'])).json()).toMatchObject({
      users: [{ email: 'Ada@example.com', type: 1 }],
    })

    const invited = await cli.run(['users', 'invite', 'grace@example.com', '--json'])
    expect(invited.json()).toMatchObject({
      link: expect.stringMatching(/^https:\/\/ask\.example\.com\/invitation\?token=/),
    })
    const reset = await cli.run(['users', 'reset', 'ada@example.com', '--json'])
    expect(reset.json()).toMatchObject({ link: expect.stringMatching(/^https:\/\/ask\.example\.com\/reset\?token=/) })

    const { out } = await cli.run(['token', 'ada@example.com', '--days', '7'])
    const { aud, exp = 0, iat = 0 } = decodeJwt(out.trim())
    expect([aud, exp - iat]).toEqual(['https://ask.example.com/v1', 7 * 86_400])
  })

  it.each([['users', 'promote'], ['users', 'reset'], ['token']])(
    '%s %s of an unknown person exits with 1',
    async (...command) => {
      const { code, err } = await cli.run([...command.filter(Boolean), 'eve@example.com'])
      expect([code, err]).toEqual([1, 'No account has the e-mail address eve@example.com.\n'])
    },
  )
})
