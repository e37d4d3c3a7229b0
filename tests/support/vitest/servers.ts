import type { TestProject } from 'vitest/node'
import { startOpenSearch, startPostgres } from '../cluster/servers'

/** Global setup: starts the servers on which the tests of this project run, and prepares as for all tests. */
export async function setup(project: TestProject) {
  const postgres = await startPostgres()
  const openSearch = await startOpenSearch().catch(async (error) => {
    await postgres.stop()
    throw error
  })
  process.env.DATABASE_URL = postgres.url
  process.env.SEARCH_URL = openSearch.url
  // Imported late: the engine is chosen when it is loaded.
  const { setup: prepare } = await import('./prepare')
  const clean = await prepare(project)
  return async () => {
    await clean()
    await openSearch.stop()
    await postgres.stop()
  }
}
