import { runSentence } from '../../../contract/run-sentence'
import type { SourceView } from '../../../contract/views/source'
import { isBusy, isCancelling } from './progress-line'

/** The last press of one of a source's buttons. `runId`: of the source's last run then. */
export interface Press {
  intent: string
  runId: string | null
}

type AnnouncedSource = Pick<SourceView, 'name' | 'status' | 'paused' | 'last_run'>

const verbs: Record<string, string> = {
  'refresh-source': 'Refreshing',
  'pause-source': 'Pausing',
  'resume-source': 'Going on with',
  'cancel-source': 'Cancelling',
}

/** What is said of a press while it works, then what came of it; nothing where it came to nothing, or is over. */
export function announcementFor({ intent, runId }: Press, source: AnnouncedSource, isSent: boolean): string {
  const verb = verbs[intent]
  if (verb === undefined) return ''
  const { name, paused, last_run: run } = source
  const isWorking = isSent || (intent === 'cancel-source' ? isCancelling(source) : isBusy(source))
  const isOld = run?.id === runId
  if (intent === 'pause-source') return isSent ? `${verb} ${name}.` : paused && isOld ? `Paused ${name}.` : ''
  if (isWorking && (isSent || isOld !== (intent === 'refresh-source'))) return `${verb} ${name}.`
  if (!run || paused || run.finished_at === null) return ''
  if (isOld === (intent === 'refresh-source')) return ''
  return run.cancelled ? `Cancelled ${name}.` : `${name}: ${runSentence(run)}.`
}
