import type { Database } from '../../../db/database'
import type { Sealer } from '../../sealing'
import type { Audit } from '../audit/audit'
import type { EmbeddingRate } from '../indexing/embedding-rate'
import type { ServerKeys } from '../keys/agent-keys'
import type { UseCounters } from '../usage/use-counters'
import { createAdminDetails } from './details'
import { createGlance } from './glance'
import { createHealth, type HealthDeps } from './health'
import { createAdminLists } from './lists'
import { createUserGrowth } from './user-growth'

interface Deps extends HealthDeps {
  db: Database
  useCounters: Pick<UseCounters, 'write'>
  sealer: Sealer
  embeddingRate: Pick<EmbeddingRate, 'of'>
  serverKeys: ServerKeys
  audit: Pick<Audit, 'list' | 'recordStaffRead'>
}

/** The back office: what platform administrators read of all organizations. It changes nothing. */
export function createAdmin({ db, useCounters, sealer, embeddingRate, serverKeys, audit, ...health }: Deps) {
  return {
    ...createAdminLists({ db, keys: { sealer, serverKeys } }),
    ...createAdminDetails({ db, useCounters, sealer, embeddingRate, serverKeys, audit }),
    ...createHealth({ db, ...health }),
    userGrowth: createUserGrowth({ db }),
    glance: createGlance({ db }),
  }
}
