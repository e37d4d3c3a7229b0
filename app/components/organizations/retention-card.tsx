import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import { auditLimits } from '../../../contract/values/audit'
import { retentionDays } from '../../../contract/values/limits'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SettingList } from './setting-list'

interface RetentionCardProps {
  organization: OrganizationView
  lastResult: SubmissionResult<string[]> | undefined
}

interface RetentionFields {
  intent: string
  thread_days: string
  visitor_data_days: string
  run_days: string
  audit_days: string
  replaces_old_threads: string
}

const limits = [
  {
    name: 'thread_days',
    label: 'Threads',
    hint: 'Days after the last message. Empty: for ever.',
    range: retentionDays,
  },
  {
    name: 'visitor_data_days',
    label: 'Visitors',
    hint: 'Days after the last message until the address, browser, page and ids of the visitor are removed from a thread. Empty: for ever.',
    range: retentionDays,
  },
  {
    name: 'run_days',
    label: 'Crawl reports',
    hint: 'Days after a crawl. The last report of each source stays. Empty: for ever.',
    range: retentionDays,
  },
  {
    name: 'audit_days',
    label: 'Audit log',
    hint: `Days, from ${auditLimits.days} to ${auditLimits.maxDays}.`,
    range: { min: auditLimits.days, max: auditLimits.maxDays },
  },
] as const

/** How long data is kept: a form for administrators, and a list for others. */
export function RetentionCard({ organization, lastResult }: RetentionCardProps) {
  return (
    <Card label="How long data is kept">
      <CardHead title="How long data is kept" />
      {organization.abilities.edit ? (
        <RetentionForm organization={organization} lastResult={lastResult} />
      ) : (
        <SettingList
          settings={[
            ...limits.map(({ name, label }): [string, string] => {
              const days = organization[name]
              return [label, days === null ? 'For ever' : `${days} days`]
            }),
            ['At the limit of threads', organization.replaces_old_threads ? 'Replace the oldest' : 'Refuse new ones'],
          ]}
        />
      )}
    </Card>
  )
}

function RetentionForm({ organization, lastResult }: RetentionCardProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<RetentionFields>({
    id: 'retention',
    lastResult,
    defaultValue: {
      thread_days: String(organization.thread_days ?? ''),
      visitor_data_days: String(organization.visitor_data_days ?? ''),
      run_days: String(organization.run_days ?? ''),
      audit_days: String(organization.audit_days),
      replaces_old_threads: organization.replaces_old_threads ? 'on' : '',
    },
  })
  const { replaces_old_threads: replaces } = fields
  return (
    <OrganizationForm replace preventScrollReset id={form.id} noValidate data-guard className="grid gap-4 p-4">
      <FormProblem errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        {limits.map(({ name, label, hint, range }) => (
          <TextField
            key={name}
            field={fields[name]}
            label={label}
            hint={hint}
            type="number"
            required={name === 'audit_days'}
            step={1}
            {...range}
          />
        ))}
      </div>
      <label className="flex items-start gap-2.5">
        <input
          key={replaces.key}
          type="checkbox"
          name={replaces.name}
          defaultChecked={replaces.initialValue === 'on'}
          className="mt-1"
        />
        <span>
          <span className="block font-medium">Replace the oldest threads of visitors at the limit of the plan</span>
          <span className="block text-meta text-soft">
            Otherwise nobody can begin a thread until one is deleted or the plan grows.
          </span>
        </span>
      </label>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="primary"
          name="intent"
          value="save-retention"
          pending={navigation.formData?.get('intent') === 'save-retention'}
        >
          Save
        </Button>
        <p className="text-meta text-soft">Old data is deleted every night, for good. The audit log says how much.</p>
      </div>
    </OrganizationForm>
  )
}
