import type { Sealer } from '../sealing'
import { createDetectBoilerplate } from '../services/crawling/boilerplate/detect-boilerplate'
import { createEnqueueFile } from '../services/crawling/documents/enqueue-file'
import { createIngestDocument } from '../services/crawling/documents/ingest-document'
import { createStoreDocument } from '../services/crawling/documents/store-document'
import { createFrontier } from '../services/crawling/frontier/frontier'
import { createApplyVisit } from '../services/crawling/pages/apply-visit'
import { createDiscoverAddresses } from '../services/crawling/runs/discover-addresses'
import { createExecuteRun } from '../services/crawling/runs/execute-run'
import { createFetchPages } from '../services/crawling/runs/fetch-pages'
import { createFinishRun } from '../services/crawling/runs/finish-run'
import { createIngestPage } from '../services/crawling/runs/ingest-page'
import { createStartRun } from '../services/crawling/runs/start-run'
import type { Files } from '../services/files/files'
import type { Organizations } from '../services/organizations/organizations'
import { createObserveSite } from '../services/sites/observe-site'
import type { Adapters } from './adapters'
import type { Engine } from './engine'

interface Deps
  extends Pick<Adapters, 'db' | 'indexes' | 'extractor' | 'fileReader' | 'downloads' | 'telemetry' | 'log'> {
  engine: Engine
  sealer: Sealer
  organizations: Organizations
  files: Files
}

/** Creates the steps of a crawl run, from discovery to the run report. */
export function createCrawling({ db, indexes, extractor, fileReader, downloads, telemetry, log, ...deps }: Deps) {
  const { sealer, organizations, files } = deps
  const engine = { ...deps.engine, downloads }
  const frontier = createFrontier({ db, organizations })
  const { retryDelaysMs } = engine
  const applyVisit = createApplyVisit({ indexes, files, frontier, retryDelaysMs, telemetry })
  const storeDocument = createStoreDocument({ indexes, files, applyVisit })
  const documents = createIngestDocument({ files, fileReader, storeDocument, applyVisit })
  const observeSite = createObserveSite(engine)
  const ingestPage = createIngestPage({ engine, sealer, log, documents, applyVisit, observeSite })
  const enqueueFile = createEnqueueFile({ frontier })
  const startRun = createStartRun({ indexes, frontier })
  const discovery = createDiscoverAddresses({ engine, sealer, frontier, files, enqueueFile, startRun })
  const fetchPages = createFetchPages({ db, frontier, ingestPage, rateLimiter: engine.rateLimiter })
  const boilerplate = createDetectBoilerplate({ db, indexes, extractor })
  const finishRun = createFinishRun({ db, indexes, frontier, files, log })
  const executeRun = createExecuteRun({ db, frontier, discovery, fetchPages, boilerplate, finishRun, log })
  return { frontier, discovery, applyVisit, storeDocument, boilerplate, finishRun, executeRun }
}
