import { useNavigation } from '@remix-run/react'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type {
  CheckedWidget,
  WidgetCheckName,
  WidgetCheckResult,
  WidgetFinding,
} from '../../../contract/chat/widget-check'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { classes } from '../ui/classes'
import { Notice } from '../ui/feedback/notice'
import { formatCounted } from '../ui/format'
import { controlClasses } from '../ui/forms/field'
import { OrganizationForm } from '../ui/forms/organization-form'

const labels: Record<WidgetCheckName, string> = {
  loader: 'Loader',
  key: 'Key',
  origin: 'Origin',
  policy: 'Content security policy',
}

/** Reads a page of a website, and says what keeps the widget from working there. */
export function WidgetCheck({ agentId, checked }: { agentId: string; checked: CheckedWidget | undefined }) {
  const isRunning = useNavigation().formData?.get('intent') === 'check-widget'
  const result = checked && 'result' in checked ? checked.result : null
  return (
    <Card label="Widget check">
      <CardHead title="Widget check" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <OrganizationForm preventScrollReset noValidate className="grid gap-1">
          <input type="hidden" name="intent" value="check-widget" />
          <label htmlFor="checked-site" className="font-medium">
            Address of a page
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id="checked-site"
              name="site"
              type="url"
              required
              defaultValue={checked?.site}
              placeholder="https://www.example.com/"
              aria-describedby="checked-site-hint"
              className={`${controlClasses} !w-auto min-w-0 flex-1 basis-56`}
            />
            <Button pending={isRunning}>Check</Button>
          </div>
          <p id="checked-site-hint" className="text-meta text-soft">
            Checks a page for anything that stops the widget, for 10 seconds at most. Nothing is stored.
          </p>
        </OrganizationForm>
        <p role="status" className="text-soft empty:hidden">
          {result && headlineOf(result)}
        </p>
        {checked && 'error' in checked && <Notice kind="danger" title={checked.error} />}
        {result && (
          <ul aria-label="Findings" className="overflow-hidden rounded-medium border border-line">
            {result.findings.map((finding) => (
              <Finding key={finding.check} {...finding}>
                {finding.check === 'origin' && finding.isProblem && (
                  <OrganizationForm preventScrollReset action={paths.agentApi(agentId)}>
                    <input type="hidden" name="page" value="widget" />
                    <input type="hidden" name="origin" value={result.origin} />
                    <Button name="intent" value="allow-origin" aria-label={`Allow ${result.origin}`}>
                      Allow
                    </Button>
                  </OrganizationForm>
                )}
              </Finding>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function Finding({ check, isProblem, message, children }: WidgetFinding & { children: React.ReactNode }) {
  const Icon = isProblem ? CircleAlert : CircleCheck
  const color = isProblem ? 'text-danger' : 'text-success'
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-t px-4 py-2.5 first:border-t-0">
      <Icon className={classes('mt-0.5 size-4 shrink-0', color)} aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <span className="font-medium">{labels[check]}</span>
        <span className="sr-only"> ({isProblem ? 'Problem' : 'OK'})</span>
        <span className={classes('block', !isProblem && 'text-soft')}>{message}</span>
      </p>
      {children}
    </li>
  )
}

function headlineOf({ url, findings }: WidgetCheckResult): string {
  const problems = findings.filter(({ isProblem }) => isProblem).length
  return problems > 0 ? `${formatCounted(problems, 'problem')} on ${url}` : `All is well: the widget works on ${url}`
}
