import { createSearchClient, waitForSearchServer } from '../../server/adapters/opensearch/search-server'
import type { ClusterSettings } from '../../server/config/cluster-settings'
import { type Check, ok, problem } from './check'

/** Checks PostgreSQL: that it responds, and that it can be used. */
export async function checkPostgres({ database }: ClusterSettings): Promise<Check> {
  const name = 'PostgreSQL'
  const { waitForPostgres } = await import('../../db/postgres')
  try {
    await waitForPostgres(database.url, { startMs: 0 })
    return ok(name, 'It responds, and this user may change its tables.')
  } catch (error) {
    return problem(name, messageOf(error), 'Correct DATABASE_URL, or start the server.')
  }
}

/** Checks OpenSearch: that it responds, and its version. */
export async function checkOpenSearch({ search }: ClusterSettings): Promise<Check> {
  const name = 'OpenSearch'
  const client = createSearchClient(search)
  try {
    const { text } = await waitForSearchServer(client, 0)
    return ok(name, `Version ${text} responds.`)
  } catch (error) {
    return problem(name, messageOf(error), 'Correct SEARCH_URL, or start the server.')
  } finally {
    await client.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
