import type { Database } from '../../../../db/database'
import { type RunContext, RunTaken, takeRun } from '../../runs/run-context'
import { interruptible, runState } from '../../runs/run-state'
import { addCounts } from '../../runs/run-stats'
import { deleteOldRuns } from '../../runs/runs'
import { type DetectBoilerplate, hasBoilerplate } from '../boilerplate/detect-boilerplate'
import type { Frontier } from '../frontier/frontier'
import type { DiscoverAddresses } from './discover-addresses'
import type { FetchPages } from './fetch-pages'
import { type FinishRun, namesOf, type RunLog } from './finish-run'

interface Deps {
  db: Database
  frontier: Pick<Frontier, 'releaseClaims'>
  discovery: Pick<DiscoverAddresses, 'discoverAddresses'>
  fetchPages: FetchPages
  boilerplate: Pick<DetectBoilerplate, 'detect'>
  finishRun: FinishRun
  log: RunLog
}

/** 'interrupted': somebody paused, cancelled or deleted it. */
type StepResult = 'done' | 'interrupted' | 'out-of-crawls'

/**
 * Executes runs: discover addresses, fetch them, detect boilerplate, finish. Every step stores its progress, so that a run
 * that was interrupted, or left its slot to another, continues where it was.
 */
export function createExecuteRun({ db, frontier, discovery, fetchPages, boilerplate, finishRun, log }: Deps) {
  /**
   * Continues a run. Throws RetryLater where it has to wait, and what failed. Ends silently, but for the log, if another
   * process takes the run.
   */
  async function execute(sourceId: string, runId: string, signal: AbortSignal): Promise<void> {
    const run = await takeRun(db, sourceId, runId)
    if (!run) return
    log.info(namesOf(run), run.isDiscovered ? 'A run continues.' : 'A run starts.')
    try {
      await executeSteps(run, signal)
    } catch (error) {
      // Rows of a source that was deleted meanwhile cannot be written.
      if (!signal.aborted && (await runState(db.read, run)) === 'deleted') return
      if (!(error instanceof RunTaken)) throw error
      log.warn(namesOf(run), 'Another process has taken this run over.')
    }
  }

  async function executeSteps(run: RunContext, signal: AbortSignal): Promise<void> {
    if (!run.isDiscovered) await deleteOldRuns(run.db, run.source.id)
    await frontier.releaseClaims(run)
    let result = await discoverOnce(run, signal)
    for (;;) {
      if (result === 'done' && run.kind !== 'discover') result = await fetchPages(run, signal)
      if (result !== 'interrupted' && (await detectBoilerplate(run, signal)) === 'interrupted') result = 'interrupted'
      if (result === 'interrupted') return finishIfCancelled(run)
      const isFinished = result === 'done' ? await finishRun.finish(run) : await finishRun.stopAtLimit(run)
      if (isFinished) return
      if ((await runState(db.read, run)) !== 'running') result = 'interrupted'
    }
  }

  async function discoverOnce(run: RunContext, signal: AbortSignal): Promise<StepResult> {
    if ((await runState(db.read, run)) !== 'running') return 'interrupted'
    return run.isDiscovered ? 'done' : discovery.discoverAddresses(run, signal)
  }

  async function detectBoilerplate(run: RunContext, signal: AbortSignal): Promise<StepResult> {
    if (run.kind !== 'full' || !hasBoilerplate(run.source)) return 'done'
    const added = await interruptible(run, signal, (interrupt) => boilerplate.detect(run.source.id, interrupt, run.db))
    if (added === 'interrupted') return 'interrupted'
    if (added > 0) await run.db.write((tx) => addCounts(tx, run, { fragments: added }))
    return 'done'
  }

  /** A paused run just stops: resuming it enqueues another job. */
  async function finishIfCancelled(run: RunContext): Promise<void> {
    if ((await runState(db.read, run)) === 'cancelled') await finishRun.cancel(run)
  }

  /** Ends a run that failed again and again, so that its source says so. */
  async function abandon(sourceId: string, runId: string): Promise<void> {
    const run = await takeRun(db, sourceId, runId)
    if (run) await finishRun.giveUp(run)
  }

  return { execute, abandon }
}
