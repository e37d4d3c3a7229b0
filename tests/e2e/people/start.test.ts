import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProvider } from '../../support/providers/provider'
import { lampSite } from '../../support/sites/site'
import { until } from '../../support/until'
import { startBuiltServer } from '../../support/web/server'

it('prints the real port with PORT=0', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sitelore-start-'))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    PUBLIC_URL: '',
  }
  const child = spawn(process.execPath, ['build/app/index.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (part) => {
    printed += part
  })
  await until(() => /\/setup\?token=/.test(printed))
  const [origin = ''] = /http:\/\/localhost:\d+/.exec(printed) ?? []
  expect(origin).not.toMatch(/:0$/)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect(printed).toContain(`${origin}/setup?token=`)
  child.kill('SIGTERM')
  await once(child, 'exit')
})

it('begins with the version and the settings, without secrets', async () => {
  const server = await startBuiltServer({
    LOG_LEVEL: 'info',
    OPENAI_API_KEY: 'sk-very-secret',
  })
  await server.stop()
  const lines = server
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string })
  expect(lines.find(({ msg }) => msg === 'Sitelore starts.')).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    settings: { OPENAI_API_KEY: '(set)', VISITOR_IP: 'short', LOG_REQUESTS: 'on' },
  })
  expect(server.printed()).not.toMatch(/sk-very-secret/)
})

it('answers the command line with its own address and keys, whatever the environment of the command is', async () => {
  const provider = await startProvider({ keys: ['sk-of-the-server'] })
  const site = await lampSite()
  const server = await startBuiltServer({
    PUBLIC_URL: 'http://ask.example:8080',
    OPENAI_API_KEY: 'sk-of-the-server',
    OPENAI_BASE_URL: provider.baseUrl,
  })
  const { OPENAI_API_KEY: _, LOG_LEVEL: _level, ...environment } = process.env
  const command = async (...argv: string[]) => {
    const env = { ...environment, DATA_DIR: server.dataDir, PORT: '1', CRAWL_ALLOW_PRIVATE_NETWORKS: '127.0.0.1' }
    const child = spawn(process.execPath, ['build/app/cli.js', ...argv], { env })
    const text = { out: '', err: '' }
    child.stdout.on('data', (part) => {
      text.out += part
    })
    child.stderr.on('data', (part) => {
      text.err += part
    })
    const [code] = await once(child, 'close')
    return { code, ...text }
  }
  expect((await command('users', 'invite', 'grace@example.com')).out).toMatch(/^http:\/\/ask\.example:8080\//)
  expect((await command('index', `${site.origin}/help/battery`)).code).toBe(0)
  provider.next({ kind: 'answer', text: 'Turn the base ring to the left [1].' })
  const answered = await command('ask', 'How do I change the battery?')
  expect(answered.out, answered.err).toContain('Turn the base ring to the left [1].')
  expect((await command('doctor')).out).toContain('Provider keys')
  const link = JSON.parse(await readFile(join(server.dataDir, 'server.json'), 'utf8')) as { address: string }
  for (const authorization of ['', 'Bearer wrong'])
    expect(
      (
        await fetch(`${link.address}/local/ask`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404)
  expect(await server.stop()).toBe(0)
  await expect(readFile(join(server.dataDir, 'server.json'))).rejects.toThrow('ENOENT')
  const alone = await command('ask', 'How do I change the battery?')
  expect(alone.err).toContain('There is no key of a model provider.')
  await site.close()
  await provider.close()
})
