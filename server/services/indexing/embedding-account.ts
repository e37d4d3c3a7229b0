import type { Provider } from '../../../contract/values/enumerations'
import type { Database } from '../../../db/database'
import type { Sealer } from '../../sealing'
import { organizationKey, organizationKeySealingContext } from '../keys/agent-keys'
import { addUse } from '../usage/quota'

interface Deps {
  db: Database
  sealer: Pick<Sealer, 'open'>
  log: { warn(details: object, message: string): void }
}

const writeMs = 1_000

export type EmbeddingAccount = ReturnType<typeof createEmbeddingAccount>

/** Whose key pays for the texts that a service embeds, and how many tokens each organization has used. */
export function createEmbeddingAccount({ db, sealer, log }: Deps) {
  let unwritten = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null

  /** Returns the organization's key for the provider; null if it has none. */
  async function ownKey(organizationId: string, provider: Provider): Promise<string | null> {
    const own = await organizationKey(db.read, organizationId)
    if (own?.provider !== provider || own.sealedKey === null) return null
    return sealer.open(own.sealedKey, organizationKeySealingContext(organizationId))
  }

  /** Counts in memory, and writes the counts once a second. */
  function countTokens(organizationId: string, tokens: number): void {
    unwritten.set(organizationId, (unwritten.get(organizationId) ?? 0) + tokens)
    timer ??= setTimeout(() => {
      write().catch((error) => log.warn({ err: error }, 'Tokens of embeddings were not counted.'))
    }, writeMs).unref()
  }

  /** Resolves when all tokens so far are in the database. */
  async function write(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const counts = unwritten
    unwritten = new Map()
    if (counts.size === 0) return
    await db.write(async (tx) => {
      for (const [organizationId, tokens] of counts) await addUse(tx, organizationId, 'embeddingTokens', tokens)
    })
  }

  return { ownKey, countTokens, write }
}
