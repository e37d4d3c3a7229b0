import { expect, it } from 'vitest'
import { startBuiltServer } from '../support/server'

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
