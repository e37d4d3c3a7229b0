import { waitForPostgres } from '../../db/postgres'
import { createSearchClient, waitForSearchServer } from '../adapters/opensearch/search-server'
import type { ClusterSettings } from '../config/cluster-settings'

/** Throws an error of one line if PostgreSQL does not respond or cannot be used. */
export async function assertPostgres({ database }: ClusterSettings): Promise<void> {
  await waitForPostgres(database.url, { startMs: 0 })
}

/** Returns the version of OpenSearch. Throws an error of one line if it does not respond or cannot be used. */
export async function versionOfOpenSearch({ search }: ClusterSettings): Promise<string> {
  const client = createSearchClient(search)
  try {
    return (await waitForSearchServer(client, 0)).text
  } finally {
    await client.close()
  }
}
