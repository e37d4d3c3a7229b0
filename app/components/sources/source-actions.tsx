import { Form, useNavigation, useSearchParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { SourceView } from '../../../contract/views/source'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { Button } from '../ui/button'
import { withQuery } from '../ui/query'
import { ActionsCell } from '../ui/table'
import { announcementFor, type Press } from './announcement'
import { isBusy, isCancelling } from './progress-line'

/** What can be done with a source in the state it is in. */
export function SourceActions({ source, mayEdit }: { source: SourceView; mayEdit: boolean }) {
  const [search] = useSearchParams()
  const heard = useAnnouncement(source)
  return (
    <ActionsCell>
      {mayEdit &&
        runActs(source).map(([intent, word]) => (
          <RunButton key={intent} source={source} intent={intent}>
            {word}
          </RunButton>
        ))}
      <AllowedLink
        allowed={mayEdit}
        reason={reasons.viewer}
        to={withQuery(search, { dialog: 'edit-source', id: source.id })}
        look="quiet"
        label={`Edit ${source.name}`}
      >
        Edit
      </AllowedLink>
      <AllowedLink
        allowed={mayEdit}
        reason={reasons.viewer}
        to={withQuery(search, { dialog: 'delete-source', id: source.id })}
        look="quiet-danger"
        label={`Delete ${source.name}`}
      >
        Delete
      </AllowedLink>
      <span role="status" className="sr-only">
        {heard}
      </span>
    </ActionsCell>
  )
}

function runActs(source: SourceView): [intent: string, word: string][] {
  const cancel: [string, string] = ['cancel-source', 'Cancel']
  if (isCancelling(source)) return []
  if (source.paused) return [['resume-source', 'Resume'], cancel]
  if (isBusy(source)) return [['pause-source', 'Pause'], cancel]
  return [['refresh-source', 'Refresh']]
}

/** Says that the last press of one of the source's buttons was heard, for the buttons themselves go, and what came of it. */
function useAnnouncement(source: SourceView): string {
  const { formData } = useNavigation()
  const [press, setPress] = useState<Press | null>(null)
  const intent = formData?.get('id') === source.id ? String(formData.get('intent')) : ''
  const runId = source.last_run?.id ?? null
  const before = useRef(runId)
  if (intent === '') before.current = runId
  useEffect(() => {
    if (intent !== '') setPress({ intent, runId: before.current })
  }, [intent])
  return press ? announcementFor(press, source, intent !== '') : ''
}

function RunButton({ source, intent, children }: { source: SourceView; intent: string; children: string }) {
  const navigation = useNavigation()
  const pending = navigation.formData?.get('intent') === intent && navigation.formData.get('id') === source.id
  return (
    <Form method="post" preventScrollReset replace>
      <input type="hidden" name="id" value={source.id} />
      <Button look="quiet" name="intent" value={intent} pending={pending} aria-label={`${children} ${source.name}`}>
        {children}
      </Button>
    </Form>
  )
}
