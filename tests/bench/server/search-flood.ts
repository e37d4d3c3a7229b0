/**
 * Search times of one organization, alone and while another one floods the server with long searches:
 * npx tsx tests/bench/server/search-flood.ts [--flood 60] [--searches 40] [--rounds 5]
 * Both organizations have the pages of the manual. Rounds alternate. Each caller of the flood sends its next search at once,
 * or 50 ms after it was refused.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { system } from '../../../server/actor'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { isAppError } from '../../../server/errors'
import { createTestApp } from '../../support/app'
import { percentile, timesOf } from '../percentiles'

const { values } = parseArgs({
  options: {
    flood: { type: 'string', default: '60' },
    searches: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
  },
})
const [floodSize, searches, rounds] = [Number(values.flood), Number(values.searches), Number(values.rounds)]
const refusedWaitMs = 50
const queryLength = 8_000
const vocabulary = 'search threshold crawl robots agent collection source fragment limit website model token'.split(' ')

const embedder = () => createTransformersEmbedder({ modelFolder: 'models/all-MiniLM-L6-v2' })
const { app, runner, close } = await createTestApp({}, { embedder })
try {
  await app.startEmbedding()
  const flooding = await createOrganization('Flooding')
  const otherSearch = await createOrganization('Other')
  await runner.idle()
  await timed(otherSearch)
  const alone: number[] = []
  const during: number[] = []
  const counts = { answered: 0, refused: 0 }
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await timed(otherSearch)))
    const stopping = new AbortController()
    const callers = Array.from({ length: floodSize }, (_, number) => flood(flooding, number, stopping.signal, counts))
    during.push(...(await timed(otherSearch)))
    stopping.abort()
    await Promise.all(callers)
  }
  for (const share of [0.5, 0.99]) {
    const ratio = Number.parseFloat(percentile(during, share)) / Number.parseFloat(percentile(alone, share))
    const times = `alone ${percentile(alone, share)}, during the flood ${percentile(during, share)}`
    console.log(`p${share * 100}: ${times} (${ratio.toFixed(1)} times)`)
  }
  console.log(`flood of ${floodSize} callers: ${counts.answered} searches answered, ${counts.refused} refused`)
} finally {
  await close()
}

type Search = (query: string) => Promise<unknown>

async function createOrganization(name: string): Promise<Search> {
  const { id } = await app.services.organizations.create(system, { name, entity_name: '' })
  const { agentId } = await app.services.manual.ensureDemo(system, id)
  return (query) => app.services.search.agent(system, { organizationId: id, agentId }, { query })
}

function timed(search: Search): Promise<number[]> {
  return timesOf(searches, (number) => search(`What does the similarity threshold number ${number} do?`))
}

/** Sends one search after another until the signal aborts. */
async function flood(
  search: Search,
  caller: number,
  signal: AbortSignal,
  counts: { answered: number; refused: number },
) {
  for (let number = caller; !signal.aborted; number += floodSize) {
    try {
      await search(longQuery(number))
      counts.answered++
    } catch (error) {
      if (!isAppError(error) || error.code !== 'rate_limited') throw error
      counts.refused++
      await sleep(refusedWaitMs)
    }
  }
}

/** Queries differ, so that no cache answers them. */
function longQuery(number: number): string {
  const words = Array.from(
    { length: queryLength / 4 },
    (_, index) => vocabulary[(index * 7 + number) % vocabulary.length],
  )
  return `${number} ${words.join(' ')}`.slice(0, queryLength)
}
