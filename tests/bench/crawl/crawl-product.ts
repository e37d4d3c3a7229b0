import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { RunReport } from '../../../contract/views/run'
import { system } from '../../../server/actor'
import { startWorkers } from '../../../workers/index'
import { openTestApp } from '../../support/app'
import { startProfile, type ThreadProfile } from './crawl-profile'

export type ProductOrder = 'crawl' | 'end'

/** Figures of one crawl, measured in its process. */
export interface ProductCrawl {
  seconds: number
  cpuSeconds: number
  report: RunReport
  /** Pages that were extracted. */
  extracted: number
  /** Delay of a timer on the main thread, and the utilization of its event loop. */
  loop: { p50Ms: number; p99Ms: number; maxMs: number; busy: number }
  profiles: ThreadProfile[]
}

const [dataDir = '', url = '', maxPages = '', profiled] = process.argv.slice(2)
const tickMs = 5

/**
 * The product with embedding off on a new data folder, in a process that does nothing else:
 * crawl-product.js <data folder> <address> [maximum pages] [profile]. Every message 'crawl' is one crawl of the site and is
 * answered with a `ProductCrawl`; it ends with 'end', or with the process that started it.
 */
async function main(): Promise<void> {
  const { app } = await openTestApp({ DATA_DIR: dataDir })
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Bench', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name: 'Site',
    description: '',
  })
  const runner = await startWorkers(app, 'cli')
  let extracted = 0
  const { extractor } = app.engine
  const extract = extractor.extract.bind(extractor)
  extractor.extract = (...page) => {
    extracted++
    return extract(...page)
  }

  async function sourceOfSite() {
    const [source] = (await app.services.sources.list(system, { organizationId, collectionId }, { page: 1, limit: 5 }))
      .docs
    return source
  }

  async function crawl(): Promise<ProductCrawl> {
    const source = await sourceOfSite()
    const endProfile = profiled ? startProfile() : null
    extracted = 0
    const delay = monitorEventLoopDelay({ resolution: tickMs })
    const usage = process.cpuUsage()
    const utilization = performance.eventLoopUtilization()
    const started = performance.now()
    delay.enable()
    if (source) {
      const what = { crawl: true, auto: false }
      await app.services.runControl.refresh(system, { organizationId, collectionId, sourceId: source.id }, what, {
        waitMs: 0,
      })
    } else {
      const limit = maxPages ? { max_pages: Number(maxPages) } : {}
      await app.services.sources.create(
        system,
        { organizationId, collectionId },
        { type: 'domain', name: '', url, ...limit },
      )
    }
    await runner.idle()
    delay.disable()
    const seconds = (performance.now() - started) / 1000
    const { user, system: kernel } = process.cpuUsage(usage)
    const busy = performance.eventLoopUtilization(utilization).utilization
    const report = (await sourceOfSite())?.last_run
    if (!report?.finished_at) throw new Error('The workers stopped before the crawl was done.')
    return {
      seconds,
      cpuSeconds: (user + kernel) / 1e6,
      report,
      extracted,
      loop: { ...latenessOf(delay), busy },
      profiles: (await endProfile?.()) ?? [],
    }
  }

  process.on('disconnect', () => process.exit(1))
  process.on('message', (order: ProductOrder) => {
    void (async () => {
      if (order === 'crawl') return process.send?.(await crawl())
      await runner.stop()
      await app.close()
      process.exit()
    })()
  })
  process.send?.('ready')
}

/** The delay of a timer. The histogram has the total time between two ticks. */
function latenessOf(delay: IntervalHistogram): Omit<ProductCrawl['loop'], 'busy'> {
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - tickMs)
  return {
    p50Ms: late(delay.percentile(50)),
    p99Ms: late(delay.percentile(99)),
    maxMs: late(delay.max),
  }
}

await main()
