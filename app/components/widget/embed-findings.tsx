import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import type { EmbedCheck, EmbedDiagnosis, EmbedFinding } from '../../../contract/views/chat/embed-diagnosis'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'
import { formatCounted } from '../ui/format'
import { OrganizationForm } from '../ui/forms/organization-form'

const labels: Record<EmbedCheck, string> = {
  tag: 'Tag',
  key: 'Key',
  origin: 'Origin',
  'script-policy': 'Policy for scripts',
  'connect-policy': 'Policy for calls',
  'mixed-content': 'Encryption',
  'server-address': 'Server address',
  streaming: 'Streaming',
  agent: 'Agent',
}

const states = {
  problem: { icon: CircleAlert, variant: 'text-danger', text: 'Problem' },
  unknown: { icon: CircleHelp, variant: 'text-soft', text: 'Not checked' },
  ok: { icon: CircleCheck, variant: 'text-success', text: 'OK' },
} as const
const order = Object.keys(states)

/** What the embed doctor found: problems first, then what it could not check, then what is well. */
export function EmbedFindings({ agentId, diagnosis }: { agentId: string; diagnosis: EmbedDiagnosis }) {
  const { origin, findings } = diagnosis
  const sorted = [...findings].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  return (
    <ul aria-label="Findings" className="overflow-hidden rounded-medium border border-line">
      {sorted.map((finding) => (
        <Finding key={finding.check} finding={finding}>
          {finding.problem === 'origin-not-allowed' && <AllowOrigin agentId={agentId} origin={origin} />}
        </Finding>
      ))}
    </ul>
  )
}

function Finding({ finding, children }: { finding: EmbedFinding; children: React.ReactNode }) {
  const { icon: Icon, variant, text } = states[finding.state]
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-t px-4 py-2.5 first:border-t-0">
      <Icon className={classes('mt-0.5 size-4 shrink-0', variant)} aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <span className="font-[570]">{labels[finding.check]}</span>
        <span className="sr-only"> ({text})</span>
        <span className={classes('block', finding.state !== 'problem' && 'text-soft')}>{finding.message}</span>
      </p>
      {children}
    </li>
  )
}

function AllowOrigin({ agentId, origin }: { agentId: string; origin: string }) {
  return (
    <OrganizationForm preventScrollReset action={paths.agentApi(agentId)}>
      <input type="hidden" name="page" value="widget" />
      <input type="hidden" name="origin" value={origin} />
      <Button name="intent" value="allow-origin" aria-label={`Allow ${origin}`}>
        Allow
      </Button>
    </OrganizationForm>
  )
}

/** One sentence about the whole page. */
export function headlineOf({ url, findings }: EmbedDiagnosis): string {
  const problems = findings.filter(({ state }) => state === 'problem').length
  const unknown = findings.filter(({ state }) => state === 'unknown').length
  if (problems > 0) return `${formatCounted(problems, 'problem')} on ${url}`
  if (unknown > 0) return `No problem was found on ${url}, and ${formatCounted(unknown, 'check')} could not be made.`
  return `All is well: the widget works on ${url}`
}
