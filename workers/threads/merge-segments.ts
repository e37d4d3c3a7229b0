import { workerData } from 'node:worker_threads'
import { SQLite } from '../../db/sqlite-driver'
import type { MergeRequest, MergeResponse } from '../../server/adapters/text-index/background-merges'
import { readStoredSegment } from '../../server/adapters/text-index/read-stored-segment'
import { mergeSegments } from '../../server/adapters/text-index/segments/merge-segments'
import { answerRequests } from './worker-protocol'

const { file } = workerData as { file: string }
const connection = new SQLite(file, { readonly: true, timeout: 5_000 })

answerRequests<MergeRequest, MergeResponse | null>(
  async ({ ids }) => {
    const sources = connection.transaction(() => ids.flatMap((id) => readStoredSegment(connection, id) ?? []))()
    // Another process has merged them.
    if (sources.length < ids.length) return { response: null }
    const bytes = mergeSegments(sources)
    const response = { bytes, deleted: sources.map(({ deleted }) => deleted.size) }
    return { response, transfer: bytes ? [bytes.buffer] : [] }
  },
  () => void connection.close(),
)
