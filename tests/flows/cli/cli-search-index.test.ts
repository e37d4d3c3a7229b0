import { describe, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { takeLock } from '../../../db/postgres'
import { rebuildLock } from '../../../server/compose/store'
import { createTestCli } from '../../support/cli'
import { clusterEnvironment } from '../../support/database/cluster'

describe('sitelore search-index', () => {
  it.runIf(engine === 'sqlite')('says that one machine has no such index', async () => {
    const cli = await createTestCli()
    const { code, err } = await cli.run(['search-index', 'rebuild'])
    expect(code).toBe(1)
    expect(err).toContain('This installation has no OpenSearch')
  })

  it.skipIf(engine === 'sqlite' || !process.env.SEARCH_URL)('rebuilds in one process at a time', async () => {
    const cli = await createTestCli()
    const { DATABASE_URL: url = '' } = await clusterEnvironment(cli.dataDir)
    const release = await takeLock(url, rebuildLock)
    const refused = await cli.run(['search-index', 'rebuild'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('Another process rebuilds the search index.')
    await release?.()
    const { code, err, out } = await cli.run(['search-index', 'rebuild'])
    expect(code, err).toBe(0)
    expect(out).toContain('The new index is in use.')
  })
})
