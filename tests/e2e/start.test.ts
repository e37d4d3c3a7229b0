import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startBuiltServer } from '../support/server'
import { until } from '../support/until'

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

it('begins with the version and the settings, without secrets, and says that DATABASE_URL is ignored', async () => {
  const server = await startBuiltServer({
    LOG_LEVEL: 'info',
    OPENAI_API_KEY: 'sk-very-secret',
    DATABASE_URL: 'postgres://host:secret@db/host',
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
  expect(lines.filter(({ msg }) => msg.startsWith('DATABASE_URL is ignored'))).toHaveLength(1)
  expect(server.printed()).not.toMatch(/sk-very-secret|postgres:/)
})
