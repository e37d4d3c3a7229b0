/** Claims every job of a database, in a process of its own that waits for a start signal: claim-all.ts <database> <worker>. */
import { once } from 'node:events'
import { openDatabase } from '../../db/open'
import { claimJob } from '../../server/services/jobs/claim-job'

const [url = '', worker = ''] = process.argv.slice(2)
const database = await openDatabase(url)
process.send?.('ready')
await once(process, 'message')
const claimed: string[] = []
for (;;) {
  const job = await claimJob(database, { worker, kind: 'crawl-source' })
  if (!job) break
  claimed.push(job.id)
}
await database.close()
process.send?.(claimed)
process.disconnect()
