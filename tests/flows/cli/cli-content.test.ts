import { afterAll, beforeAll, expect, it } from 'vitest'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { threadIdOf } from '../../../db/schema/threads'
import { createTestCli, type TestCli } from '../../support/cli'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, type Site } from '../../support/sites/site'

let cli: TestCli
let provider: Provider
let site: Site

beforeAll(async () => {
  provider = await startProvider({ keys: ['sk-good'] })
  site = await lampSite()
  cli = await createTestCli({ OPENAI_API_KEY: 'sk-good', OPENAI_BASE_URL: provider.baseUrl })
  await cli.run(['index', `${site.origin}/help/battery`, '--collection', 'Lamps'])
  provider.next({ kind: 'answer', text: 'Turn the base ring [1].' })
  await cli.run(['ask', 'How do I change the battery?'])
})
afterAll(async () => {
  await site.close()
  await provider.close()
})

it('shows the version', async () => {
  expect((await cli.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('shows examples as the command was called', async () => {
  expect((await cli.run(['search', '--help'])).out).toContain('\n  sitelore search "')
  const environment = { NODE_ENV: 'test', npm_lifecycle_event: 'sitelore' } as const
  const { out } = await cli.run(['search', '--help'], { environment })
  expect(out).toContain('\n  npm run -s sitelore -- search "')
  expect(out).not.toContain('\n  sitelore search')
})

it('lists agents, and shows, creates and renews their keys', async () => {
  expect((await cli.run(['agents'])).out).toMatch(/^Local {2}\S{36} {2}Operational\n$/)
  expect((await cli.run(['keys', 'show', 'Local'])).err).toContain('sitelore keys create Local')
  const keysOf = async (...argv: string[]) =>
    keychainViewSchema.partial().parse((await cli.run(['keys', ...argv, '--json'])).json().keychain)
  const created = await keysOf('create', 'Local')
  expect(created.private_key).toMatch(/^sitelore_private_/)
  expect(await keysOf('show', 'Local')).toEqual({ ...created, private_key: undefined })
  expect((await cli.run(['keys', 'show', 'Local'])).out).not.toContain(created.private_key)
  expect((await cli.run(['keys', 'renew', 'Local', '--only', 'private'])).err).toContain('Add --yes')
  const renewed = await keysOf('renew', 'Local', '--only', 'private', '--yes')
  expect(renewed.public_key).toBe(created.public_key)
  expect(renewed.private_key).not.toBe(created.private_key)
  expect((await cli.run(['keys', 'renew', 'Local', '--only', 'both', '--yes'])).code).toBe(2)
  expect((await cli.run(['keys', 'show', 'Nobody'])).err).toContain("There is no agent 'Nobody'. There are:\n  Local")
})

it('gives threads ids that no command reads as an option', () => {
  expect(threadIdOf(Buffer.alloc(20, 0xfb))).toMatch(/^_[\w-]{26}$/)
})

it('lists threads and exports one', async () => {
  const { out } = await cli.run(['threads'])
  const id = out.split('  ')[0] ?? ''
  expect(out).toMatch(/^\S+ {2}20\S+ \d\d:\d\d {2}How do I change the battery\?\n$/)
  expect((await cli.run(['threads', 'export', id])).json()).toMatchObject({
    threadId: id,
    agentId: expect.any(String),
    exportedAt: expect.any(String),
    messages: [{ role: 'user' }, { role: 'agent', content: expect.stringContaining('base ring') }],
  })
  expect((await cli.run(['threads', 'export', 'none'])).err).toContain("There is no thread 'none'.")
})

it('prints completions of each shell with the commands and options', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await cli.run(['completion', shell])
    expect(code).toBe(0)
    for (const word of ['collections', 'renew', 'json']) expect(out, shell).toContain(word)
  }
  expect((await cli.run(['completion', 'csh'])).code).toBe(2)
})

it('deletes a source and a collection after --yes', async () => {
  const unconfirmed = await cli.run(['sources', 'delete', `${site.origin}/help/battery`])
  expect([unconfirmed.code, unconfirmed.err]).toEqual([2, expect.stringContaining('Add --yes to confirm.')])
  expect((await cli.run(['sources', 'delete', `${site.origin}/help/battery`, '--yes'])).out).toMatch(/is deleted\.\n$/)
  expect((await cli.run(['sources'])).out).toBe('There are no sources yet.\n')
  expect((await cli.run(['collections'])).out).toMatch(/^Lamps {2}\S{36} {2}0 fragments\n$/)
  expect((await cli.run(['collections', 'delete', 'Lamps'])).code).toBe(2)
  expect((await cli.run(['collections', 'delete', 'lamps', '--yes'])).out).toBe('Lamps is deleted.\n')
  expect((await cli.run(['collections'])).out).toBe('There are no collections yet.\n')
})
