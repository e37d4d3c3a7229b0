import { useNavigation } from '@remix-run/react'
import { type FormEvent, useEffect, useRef } from 'react'
import type { DiagnosisEnd, EmbedStep } from '../../../contract/views/chat/embed-diagnosis'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { Notice } from '../ui/feedback/notice'
import { controlClasses } from '../ui/forms/field'
import { OrganizationForm } from '../ui/forms/organization-form'
import { EmbedFindings, headlineOf } from './embed-findings'
import { type DiagnosisState, useDiagnosis } from './use-diagnosis'

interface EmbedDoctorProps {
  agentId: string
  /** After one is added, a diagnosis that lacks it is made again. */
  allowedOrigins: string
  /** Of a form that was sent without a script. */
  sent: { site: string; end: DiagnosisEnd } | undefined
}

const steps: Record<EmbedStep, string> = {
  page: 'Reading the page…',
  script: 'Loading the widget from its address…',
  stream: 'Measuring how answers arrive…',
}

/** Reads a page of a website, and says what keeps the widget from working there. */
export function EmbedDoctor({ agentId, allowedOrigins, sent }: EmbedDoctorProps) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const { state, start, stop } = useDiagnosis(agentId, sent?.end ?? null)
  const isRunning = state?.kind === 'step'
  const checkedOrigins = useRef(allowedOrigins)

  useEffect(() => {
    if (checkedOrigins.current === allowedOrigins) return
    checkedOrigins.current = allowedOrigins
    if (state?.kind === 'diagnosed' && form.current) start(form.current)
  }, [allowedOrigins, state, start])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    start(event.currentTarget)
  }

  return (
    <Card label="Embed doctor">
      <CardHead title="Embed doctor" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <OrganizationForm ref={form} preventScrollReset noValidate onSubmit={submit} className="grid gap-1">
          <input type="hidden" name="intent" value="diagnose" />
          <label htmlFor="doctor-site" className="font-[550]">
            Address of a page
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id="doctor-site"
              name="site"
              type="url"
              required
              defaultValue={sent?.site}
              placeholder="https://www.example.com/"
              aria-describedby="doctor-hint"
              className={`${controlClasses} !w-auto min-w-0 flex-1 basis-56`}
            />
            {/* Keys, because one button that becomes a submit button while it is clicked would submit. */}
            {isRunning ? (
              <Button key="cancel" type="button" onClick={stop}>
                Cancel
              </Button>
            ) : (
              <Button key="check" pending={navigation.formData?.get('intent') === 'diagnose'}>
                Check
              </Button>
            )}
          </div>
          <p id="doctor-hint" className="text-small text-soft">
            Checks a page for anything that stops the widget. Nothing is stored.
          </p>
        </OrganizationForm>
        <p role="status" className="text-soft empty:hidden">
          {statusOf(state)}
        </p>
        {state?.kind === 'failed' && <Notice kind="danger" title={state.message} />}
        {state?.kind === 'diagnosed' && <EmbedFindings agentId={agentId} diagnosis={state.diagnosis} />}
      </div>
    </Card>
  )
}

/** For a live region, which announces the steps and the result. */
function statusOf(state: DiagnosisState | null): string {
  switch (state?.kind) {
    case 'step':
      return steps[state.step]
    case 'stopped':
      return 'Stopped.'
    case 'diagnosed':
      return headlineOf(state.diagnosis)
    default:
      return ''
  }
}
