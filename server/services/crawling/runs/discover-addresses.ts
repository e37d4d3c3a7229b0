import { and, eq, isNull } from 'drizzle-orm'
import type { ReasonCode } from '../../../../contract/reasons'
import { runs } from '../../../../db/schema/collections'
import { type CrawlType, discover } from '../../../engine/crawl/discover/discover'
import type { Discovered } from '../../../engine/crawl/discover/discovered'
import type { SitemapDeps } from '../../../engine/crawl/discover/read-sitemaps'
import { withCookies } from '../../../engine/crawl/fetch/cookies'
import { GiveUp } from '../../../errors'
import type { Sealer } from '../../../sealing'
import type { Files } from '../../files/files'
import type { DiscoveredAddress, RunContext } from '../../runs/run-context'
import { interruptible, runState } from '../../runs/run-state'
import { transitionSource } from '../../runs/transitions'
import { accessOf } from '../../source-rows/source-settings'
import type { EnqueueFile } from '../documents/enqueue-file'
import type { Frontier } from '../frontier/frontier'
import type { StartRun } from './start-run'

interface Deps {
  engine: SitemapDeps
  sealer: Sealer
  frontier: Pick<Frontier, 'enqueue'>
  files: Pick<Files, 'findPendingFile'>
  enqueueFile: EnqueueFile
  startRun: StartRun
}

const batchSize = 1_000

type Problem = { reason: ReasonCode; message: string }

export type DiscoverAddresses = ReturnType<typeof createDiscoverAddresses>

/** The first step of a run: finds the addresses of its source and enqueues them. */
export function createDiscoverAddresses({ engine, sealer, frontier, files, enqueueFile, startRun }: Deps) {
  async function discoverAddresses(run: RunContext, signal: AbortSignal): Promise<'done' | 'interrupted'> {
    const { type } = run.source
    const problem = type === 'file' ? await findFile(run) : await crawl(run, type, signal)
    if (problem === 'interrupted' || (await runState(run.db.read, run)) !== 'running') return 'interrupted'
    await finishDiscovery(run, problem)
    return 'done'
  }

  async function findFile(run: RunContext): Promise<null> {
    const file = await files.findPendingFile(run.source.id)
    if (!file) throw new GiveUp('This source has no file.')
    await enqueueFile(run, file.name)
    return null
  }

  /** Returns the first problem of the site. */
  async function crawl(run: RunContext, type: CrawlType, signal: AbortSignal): Promise<Problem | null | 'interrupted'> {
    const { url, startPath, crawlDelayMs } = run.source
    if (url === null) throw new GiveUp('This source has no address to crawl.')
    const access = withCookies(accessOf(run.source, sealer), url, run.cookies)
    // Discovery that was interrupted starts over, and so do its counts.
    const notDiscovered = and(eq(runs.id, run.runId), isNull(runs.discoveredAt))
    await run.db.write((tx) => tx.update(runs).set({ ignored: 0 }).where(notDiscovered))
    const site = { type, url, startPath, access, crawlDelayMs: crawlDelayMs ?? undefined }
    return interruptible(run, signal, async (interrupt) => {
      let problem: Problem | null = null
      let batch: DiscoveredAddress[] = []
      for await (const item of discover(engine, site, interrupt)) {
        if (item.kind === 'problem') problem ??= { reason: item.reason, message: item.message }
        else batch.push(discoveredAddress(item, url))
        if (batch.length >= batchSize) {
          await frontier.enqueue(run, batch)
          batch = []
        }
      }
      await frontier.enqueue(run, batch)
      return problem
    })
  }

  /** A full run goes on to fetch; a run that only discovers is over. */
  async function finishDiscovery(run: RunContext, problem: Problem | null): Promise<void> {
    if (run.kind === 'full') await startRun(run)
    await run.db.write(async (tx) => {
      await tx
        .update(runs)
        .set({ discoveredAt: new Date(), ...problem })
        .where(eq(runs.id, run.runId))
      if (run.kind === 'full') await transitionSource(tx, run.source.id, 'discovered')
    })
  }

  return { discoverAddresses, finishDiscovery }
}

function discoveredAddress(item: Exclude<Discovered, { kind: 'problem' }>, source: string): DiscoveredAddress {
  const address = { url: item.url, depth: 0, discoveredFrom: source }
  return item.kind === 'excluded'
    ? { ...address, exclusion: item.reason }
    : { ...address, lastModified: item.lastModified, language: item.language }
}
