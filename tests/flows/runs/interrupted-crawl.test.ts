import { expect, it } from 'vitest'
import type { Database } from '../../../db/database'
import { system } from '../../../server/actor'
import { noTelemetry } from '../../../server/engine/ports/telemetry'
import { createFrontier } from '../../../server/services/crawling/frontier/frontier'
import { createApplyVisit } from '../../../server/services/crawling/pages/apply-visit'
import type { Indexes } from '../../../server/services/fragments/fragments'
import { type RunContext, takeRun } from '../../../server/services/runs/run-context'
import { openTestApp } from '../../support/app'

it('stores the target of a redirect before it finishes the page', async () => {
  const { app } = await openTestApp()
  try {
    const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
    const { id: collectionId } = await app.services.collections.create(system, orgId, {
      name: 'Pages',
      description: '',
    })
    const input = { type: 'domain' as const, name: '', url: 'http://127.0.0.1:9/' }
    const { id } = await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
    const runId =
      (await app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })).last_run?.id ?? ''
    const found = await takeRun(app.db, id, runId)
    if (!found) throw new Error('There is no run.')
    const run = found
    const { frontier } = app.services.crawling
    let stepsLeft = 1
    const db: Database = {
      ...app.db,
      write: (step) => db.writeAlone([], step),
      writeAlone: (scope, step) =>
        stepsLeft-- > 0 ? app.db.writeAlone(scope, step) : Promise.reject(new Error('Cut off.')),
    }
    // A redirect has no fragments, so the indexes have nothing to do.
    const interrupted = createFrontier({ db, organizations: app.services.organizations })
    const files = app.services.files
    const applyVisit = createApplyVisit({
      indexes: {} as Indexes,
      files,
      frontier: interrupted,
      retryDelaysMs: [],
      telemetry: noTelemetry,
    })
    await frontier.enqueue(run, [{ url: `${input.url}a`, depth: 0, discoveredFrom: input.url }])
    const [visit] = await claimed(run, 1)
    if (!visit) throw new Error('There is no visit.')
    const moved = { kind: 'moved' as const, reason: 'redirected' as const, to: `${input.url}b`, httpStatus: 301 }
    const cut = { ...run, db }
    await expect(applyVisit(cut, visit, { ...moved, etag: null, lastModified: null, links: [] })).rejects.toThrow(
      'Cut off.',
    )
    const next = (await takeRun(app.db, id, runId)) ?? expect.fail('There is no run.')
    await frontier.releaseClaims(next)
    expect((await claimed(next, 5)).map(({ url }) => new URL(url).pathname)).toEqual(['/a', '/b'])

    async function claimed(run: RunContext, max: number) {
      const rows = await frontier.claim(run, max)
      return rows === 'out-of-crawls' ? [] : rows
    }
  } finally {
    await app.close()
  }
})
