/** Claims every job of a database, in a process of its own: node --import tsx claim-all.ts <database> <worker> <start>. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/open'
import { claimJobs } from '../../server/services/jobs/jobs'

const [url = '', worker = '', start = '0'] = process.argv.slice(2)
const database = await openDatabase(url)
await sleep(Math.max(0, Number(start) - Date.now()))
const claimed: string[] = []
for (;;) {
  const batch = await claimJobs(database, { worker, count: 5, kinds: ['crawl-source'] })
  if (batch.length === 0) break
  claimed.push(...batch.map((job) => job.id))
}
await database.close()
process.stdout.write(JSON.stringify(claimed))
