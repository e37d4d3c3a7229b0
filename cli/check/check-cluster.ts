import { assertPostgres, versionOfOpenSearch } from '../../server/compose/check-servers'
import type { ClusterSettings } from '../../server/config/cluster-settings'
import { type Check, ok, problem } from './check'

export async function checkPostgres(cluster: ClusterSettings): Promise<Check> {
  const name = 'PostgreSQL'
  try {
    await assertPostgres(cluster)
    return ok(name, 'It responds, and this user may change its tables.')
  } catch (error) {
    return problem(name, messageOf(error), 'Correct DATABASE_URL, or start the server.')
  }
}

export async function checkOpenSearch(cluster: ClusterSettings): Promise<Check> {
  const name = 'OpenSearch'
  try {
    return ok(name, `Version ${await versionOfOpenSearch(cluster)} responds.`)
  } catch (error) {
    return problem(name, messageOf(error), 'Correct SEARCH_URL, or start the server.')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
