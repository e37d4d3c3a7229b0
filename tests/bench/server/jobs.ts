/**
 * Claims of jobs while many wait: npm run bench -- jobs [--jobs 50000] [--organizations 1000] [--rounds 200]. The peer is
 * the cheapest claim that SQLite could do, of the oldest job by one index; a claim that takes turns costs a multiple of it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../../db/open'
import { jobs } from '../../../db/schema/jobs'
import { SQLite } from '../../../db/sqlite-driver'
import { claimJob } from '../../../server/services/jobs/claim-job'
import { percentile, timesOf } from '../percentiles'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '50000' },
    organizations: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '200' },
  },
})
const total = Number(values.jobs)
const organizations = Number(values.organizations)
const rounds = Number(values.rounds)
const insertedAtOnce = 500
const folder = mkdtempSync(join(tmpdir(), 'sitelore-jobs-'))
const file = join(folder, 'jobs.db')
const database = await openDatabase(file)
const kind = 'crawl-source' as const

for (let first = 0; first < total; first += insertedAtOnce) {
  const rows = Array.from({ length: Math.min(insertedAtOnce, total - first) }, (_, index) => ({
    kind,
    payload: { sourceId: String(first + index) },
    organizationId: `organization-${(first + index) % organizations}`,
    dedupeKey: `crawl ${first + index}`,
    runAfter: new Date(first + index),
  }))
  await database.write((tx) => tx.insert(jobs).values(rows))
}

const claims = await timesOf(rounds, () => claimJob(database, { worker: 'bench', kind }))
const connection = new SQLite(file)
connection.exec(`create index peer on jobs (run_after) where status = 'queued'`)
const oldest = connection.prepare(
  `update jobs set status = 'running', worker = 'peer' where id = (
    select id from jobs indexed by peer where status = 'queued' order by run_after limit 1
  )`,
)
const peers = await timesOf(rounds, async () => void oldest.run())
connection.close()
await database.close()
rmSync(folder, { recursive: true })

const line = (name: string, times: number[]) =>
  process.stdout.write(`${name.padEnd(24)}${percentile(times, 0.5)}, ${percentile(times, 0.95)}\n`)
process.stdout.write(`${total} jobs of ${organizations} organizations, ${rounds} claims: median, 95th percentile\n`)
line('claimJob', claims)
line('oldest, without turns', peers)
