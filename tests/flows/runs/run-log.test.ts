import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { createTestApp } from '../../support/app'
import { lampSite } from '../../support/sites/site'

it('logs each run of a source, at its start and with its numbers at its end', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const site = await lampSite()
  const { app, runner, close } = await createTestApp({}, { log: pino({ level: 'info' }, stream) })
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name: 'Shop',
    description: '',
  })
  const input = { type: 'url', name: '', url: `${site.origin}/` } as const
  const { id: sourceId } = await app.services.sources.create(system, { organizationId, collectionId }, input)
  await runner.idle()
  await close()
  await site.close()
  const known = { sourceId, organizationId, collectionId, kind: 'full', type: 'url' }
  expect(lines.filter(({ sourceId: id }) => id === sourceId)).toEqual([
    expect.objectContaining({ ...known, msg: 'A run starts.' }),
    expect.objectContaining({ ...known, msg: 'A run ended.', end: 'finished', fetched: 1, failed: 0, reason: null }),
  ])
})
