/** Claims every job of a database, in a process of its own that waits for a start signal: claim-all.ts <database> <worker>. */
import { once } from 'node:events'
import { openDatabase } from '../../db/open'
import { claimJobs } from '../../server/services/jobs/claim-jobs'

const [url = '', worker = ''] = process.argv.slice(2)
const database = await openDatabase(url)
process.send?.('ready')
await once(process, 'message')
const claimed: string[] = []
for (;;) {
  const batch = await claimJobs(database, { worker, count: 5, kinds: ['crawl-source'] })
  if (batch.length === 0) break
  claimed.push(...batch.map((job) => job.id))
}
await database.close()
process.send?.(claimed)
process.disconnect()
