import { useNavigation, useSearchParams } from '@remix-run/react'
import { CircleStop, type LucideIcon, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SourceView } from '../../../contract/views/source'
import { reasons } from '../roles'
import { withQuery } from '../ui/browser/query'
import { buttonClasses } from '../ui/button'
import { classes } from '../ui/classes'
import { IntentButton } from '../ui/menus/intent-button'
import { RowMenu } from '../ui/menus/row-menu'
import { ActionsCell } from '../ui/tables/table'
import { announcementFor, type RunAction } from './announcement'
import { isBusy, isCancelling } from './progress-line'

const cancelling = 'The run is being cancelled.'

interface SourceActionsProps {
  source: SourceView
  mayEdit: boolean
  /** Whether fragments without an embedding will get one. */
  canEmbed: boolean
}

/** The actions of a row: one button for the run, and a menu that is the same in every state. */
export function SourceActions({ source, mayEdit, canEmbed }: SourceActionsProps) {
  const [search] = useSearchParams()
  const announcement = useAnnouncement(source)
  const { id, name } = source
  const { intent, word, icon } = runButton(source, canEmbed)
  const forbidden = mayEdit ? null : reasons.viewer
  return (
    <ActionsCell>
      <IntentButton
        id={id}
        intent={intent}
        icon={icon}
        label={`${word} ${name}`}
        reason={forbidden ?? (isCancelling(source) ? cancelling : null)}
        className={buttonClasses('quiet', classes('run-button', intent === 'refresh-source' && 'on-demand'))}
      >
        {word}
      </IntentButton>
      <RowMenu
        name={name}
        id={id}
        actions={[
          {
            kind: 'link',
            word: 'Edit',
            label: `Edit ${name}`,
            icon: Pencil,
            to: withQuery(search, { dialog: 'edit-source', id }),
            reason: forbidden,
          },
          {
            kind: 'intent',
            word: 'Cancel run',
            label: `Cancel run of ${name}`,
            icon: CircleStop,
            intent: 'cancel-source',
            reason: forbidden ?? whyNotCancel(source),
          },
          {
            kind: 'link',
            word: 'Delete',
            label: `Delete ${name}`,
            icon: Trash2,
            isDanger: true,
            to: withQuery(search, { dialog: 'delete-source', id }),
            reason: forbidden,
          },
        ]}
      />
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </ActionsCell>
  )
}

function runButton(source: SourceView, canEmbed: boolean): { intent: string; word: string; icon: LucideIcon } {
  if (!isCancelling(source)) {
    const { indexing } = source
    if (source.paused) return { intent: 'resume-source', word: 'Resume', icon: Play }
    if (isBusy(source)) return { intent: 'pause-source', word: 'Pause', icon: Pause }
    const isIndexing = canEmbed && indexing !== null && source.status === 'idle'
    if (isIndexing && indexing.paused) return { intent: 'resume-source', word: 'Resume', icon: Play }
    if (isIndexing) return { intent: 'pause-source', word: 'Pause', icon: Pause }
  }
  return { intent: 'refresh-source', word: 'Refresh', icon: RefreshCw }
}

function whyNotCancel(source: SourceView): string | null {
  if (isCancelling(source)) return cancelling
  return source.paused || isBusy(source) ? null : 'No run is in progress.'
}

/** Tells screen readers about the last action on the run, and its result. */
function useAnnouncement(source: SourceView): string {
  const { formData } = useNavigation()
  const [action, setAction] = useState<RunAction | null>(null)
  const intent = formData?.get('id') === source.id ? String(formData.get('intent')) : ''
  const runId = source.last_run?.id ?? null
  const runBefore = useRef(runId)
  if (intent === '') runBefore.current = runId
  useEffect(() => {
    if (intent !== '') setAction({ intent, runId: runBefore.current })
  }, [intent])
  return action ? announcementFor(action, source, intent !== '') : ''
}
