import { runSentence } from '../../../contract/texts/pages/run-sentence'
import type { SourceView } from '../../../contract/views/source'
import { isBusy, isCancelling } from './progress-line'

/** An action on a source. `runId` is that of the source's last run at the time of the action. */
export interface RunAction {
  intent: string
  runId: string | null
}

type AnnouncedSource = Pick<SourceView, 'name' | 'status' | 'paused' | 'last_run' | 'indexing'>

const verbs: Record<string, string> = {
  'refresh-source': 'Refreshing',
  'pause-source': 'Pausing',
  'resume-source': 'Continuing',
  'cancel-source': 'Cancelling',
}

/** What screen readers hear of an action while it is in progress, then its result. Empty if it had none. */
export function announcementFor({ intent, runId }: RunAction, source: AnnouncedSource, isSent: boolean): string {
  const verb = verbs[intent]
  if (verb === undefined) return ''
  const { name, last_run: run } = source
  const paused = source.paused || source.indexing?.paused === true
  const isIndexingAgain = intent === 'resume-source' && source.indexing?.paused === false
  const isInProgress = isSent || isIndexingAgain || (intent === 'cancel-source' ? isCancelling(source) : isBusy(source))
  const isSameRun = run?.id === runId
  if (intent === 'pause-source') return isSent ? `${verb} ${name}.` : paused && isSameRun ? `Paused ${name}.` : ''
  if (isInProgress && (isSent || isSameRun !== (intent === 'refresh-source'))) return `${verb} ${name}.`
  if (!run || paused || run.finished_at === null) return ''
  if (isSameRun === (intent === 'refresh-source')) return ''
  return run.cancelled ? `Cancelled ${name}.` : `${name}: ${runSentence(run)}.`
}
