import { type SubmissionResult, useForm } from '@conform-to/react'
import { useFetcher, useLocation, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { isProvider, type Provider, providerLabels, providers } from '../../../contract/values/enumerations'
import { lengths, visitorDailyShare } from '../../../contract/values/limits'
import type { ConnectionView, ProviderView } from '../../../contract/views/chat/agent'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { paths } from '../../paths'
import { configuredFallback, KeyField } from '../agents/key-field'
import { TestConnection } from '../agents/test-connection'
import { useShowNotifications } from '../notifications/context'
import type { Notification } from '../notifications/notification'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { ShownOrganizationInput } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'

interface OrganizationFields {
  name: string
  entity_name: string
  default_agent_provider: string
  default_agent_model: string
  default_agent_provider_key: string
  visitor_daily_share: string
}

/** What the action of the organization's forms answers. */
export interface OrganizationAnswer {
  result: SubmissionResult<string[]>
  notifications: Notification[]
  /** Result of a connection test. */
  connection?: ConnectionView
}

export interface OrganizationDialogProps {
  organization: OrganizationView
  providers: Record<Provider, ProviderView>
  closeTo: string
  /** Result of the form if it was sent without a script. */
  actionData: OrganizationAnswer | undefined
}

const providerOptions = providers.map((value) => ({ value, label: providerLabels[value] }))

/** Opens on every page of the dashboard, so a fetcher sends it, independently of the page's own forms. */
export function OrganizationDialog({ organization, providers: known, closeTo, actionData }: OrganizationDialogProps) {
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const fetcher = useFetcher<OrganizationAnswer>()
  const result = fetcher.data ?? actionData
  useShowNotifications(result?.notifications)
  const [form, fields] = useForm<OrganizationFields>({
    id: `organization-${organization.id}`,
    lastResult: result?.result,
    defaultValue: {
      name: organization.name,
      entity_name: organization.entity_name,
      default_agent_provider: organization.default_agent_provider ?? '',
      default_agent_model: organization.default_agent_model ?? '',
      visitor_daily_share: String(organization.visitor_daily_share),
    },
  })
  const stored = organization.default_agent_provider ?? ''
  const [provider, setProvider] = useState<string>(String(fields.default_agent_provider.initialValue ?? ''))
  const chosen = isProvider(provider) ? known[provider] : null
  return (
    <Dialog title="Edit organization" closeTo={closeTo}>
      <fetcher.Form
        method="post"
        action={`${paths.dashboard()}?dialog=organization`}
        id={form.id}
        noValidate
        data-guard
        className="grid gap-4"
      >
        <ShownOrganizationInput />
        <input type="hidden" name="back" value={pathname + closeTo} />
        <FormProblem errors={form.errors} />
        <TextField field={fields.name} label="Name" required maxLength={lengths.organizationName} />
        <TextField field={fields.entity_name} label="Legal entity name" maxLength={lengths.entityName} />
        <SelectField
          field={fields.default_agent_provider}
          label="Default provider"
          options={providerOptions}
          placeholder="None"
          hint='Used by agents created with "Use defaults".'
          onChange={(event) => setProvider(event.currentTarget.value)}
        />
        <TextField
          field={fields.default_agent_model}
          label="Default model"
          maxLength={lengths.model}
          list="default-models"
          placeholder={chosen?.defaultModel ?? undefined}
          hint={chosen?.defaultModel ? `If empty, ${chosen.defaultModel} is used.` : undefined}
        />
        <datalist id="default-models">
          {chosen?.models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
        <KeyField
          field={fields.default_agent_provider_key}
          label="Default provider API key"
          stored={provider === stored ? organization.default_agent_provider_key : null}
          fallback={configuredFallback(chosen)}
        />
        <TextField
          field={fields.visitor_daily_share}
          label="Daily share of visitors (%)"
          type="number"
          min={visitorDailyShare.min}
          max={visitorDailyShare.max}
          step={1}
          hint="The part of the month's messages, searches and API requests that visitors with a public key may use on one day."
        />
        <TestConnection
          provider={chosen}
          action={`${paths.dashboard()}?dialog=organization`}
          tested={actionData?.connection}
        />
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-4">
          <p className="min-w-0 flex-1 basis-44 text-meta text-soft">Deletes everything in it, for all its members.</p>
          <LinkButton
            to={withQuery(search, { dialog: 'delete-organization' })}
            variant="danger"
            replace
            preventScrollReset
          >
            Delete organization
          </LinkButton>
        </div>
        <DialogActions closeTo={closeTo} submit="Save" pending={fetcher.state !== 'idle'} />
      </fetcher.Form>
    </Dialog>
  )
}
