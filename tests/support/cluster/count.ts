/** One of the processes that use up limits: count.ts prepare | <name of the process>. Prints JSON. Reads DATABASE_URL. */
import { openDatabase } from '../../../db/open'
import { agents } from '../../../db/schema/agents'
import { keychains } from '../../../db/schema/keychains'
import { organizations } from '../../../db/schema/organizations'
import { createSharedWindow } from '../../../server/adapters/cluster/rate-windows'
import { createSharedPoints } from '../../../server/adapters/cluster/shared-points'
import { takeDailyMessage } from '../../../server/services/usage/daily-budget'
import { addUse, reserve } from '../../../server/services/usage/quota'
import { createUseCounters } from '../../../server/services/usage/use-counters'
import { takeVisitorShare } from '../../../server/services/usage/visitor-share'

const takes = 500
const limit = 3_000
const requestsInWindow = 600
const lanes = 10
const organizationId = 'organization'
const agentId = 'agent'
const hourMs = 3_600_000

const db = await openDatabase(process.env.DATABASE_URL ?? '', { maxConnections: lanes })
const [name = ''] = process.argv.slice(2)
process.stdout.write(`${JSON.stringify(name === 'prepare' ? await prepare() : await takeAll())}\n`)
await db.close()

async function prepare() {
  await db.write(async (tx) => {
    await tx.insert(organizations).values({ id: organizationId, name: 'Count', entityName: '', visitorDailyShare: 100 })
    const settings = {
      ...{ fragmentSimilarity: 0.5, fragmentLimit: 5, maxTotalOutputTokens: 100, historyLimit: 5, messageLength: 100 },
    }
    await tx.insert(agents).values({ id: agentId, organizationId, name: 'Count', ...settings })
    await tx.insert(keychains).values({
      ...{ agentId, organizationId, dailyMessages: limit, rateLimit: 1 },
      ...{ publicKey: 'public', privateKey: 'sealed', privateKeyHash: 'hash' },
    })
  })
  return {}
}

/** How many of 500 takes of each counter were granted. */
async function takeAll() {
  const time = new Date()
  const log = { warn() {} }
  const window = createSharedWindow({ db, name: 'proof', max: requestsInWindow, windowMs: hourMs, log })
  const points = createSharedPoints(db)({ keyPrefix: 'proof', points: limit, duration: hourMs / 1000 })
  const counters = createUseCounters({ db })
  const use = { organizationId, meter: 'searches' as const, limit, at: time, isByVisitor: false }
  const granted = {
    window: await count(async () => (await window.take('key')).waitMs === null),
    points: await count(() =>
      points.consume('key').then(
        () => true,
        () => false,
      ),
    ),
    crawls: await count(() => db.write((tx) => reserve(tx, organizationId, 'crawls', limit, time))),
    unlimited: await count(() =>
      db.write(async (tx) => {
        await addUse(tx, organizationId, 'messages', 1, time)
        return true
      }),
    ),
    searches: await count(async () => (await counters.take(use)) === 'counted'),
    daily: await count(() => db.write((tx) => takeDailyMessage(tx, agentId, time))),
    visitors: await count(() => db.write((tx) => takeVisitorShare(tx, organizationId, 'messages', limit, time))),
  }
  await counters.write()
  return granted
}

async function count(take: () => Promise<boolean>): Promise<number> {
  let granted = 0
  const lane = async () => {
    for (let n = 0; n < takes / lanes; n++) if (await take()) granted++
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return granted
}
