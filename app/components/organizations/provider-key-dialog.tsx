import { useForm } from '@conform-to/react'
import { useFetcher, useLocation } from '@remix-run/react'
import { useState } from 'react'
import { isProvider, providerLabels, providers } from '../../../contract/values/enumerations'
import { lengths } from '../../../contract/values/limits'
import { paths } from '../../paths'
import { configuredFallback, KeyField } from '../agents/key-field'
import { TestConnection } from '../agents/test-connection'
import { useShowNotifications } from '../notifications/context'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { FieldErrors, TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { ShownOrganizationInput } from '../ui/forms/organization-form'
import type { OrganizationAnswer, OrganizationDialogProps } from './organization-dialog'

interface KeyFields {
  default_agent_provider: string
  default_agent_model: string
  default_agent_provider_key: string
}

/** The default provider of an organization, its key and its model, with a test. Sent like 'Edit organization'. */
export function ProviderKeyDialog({ organization, providers: known, closeTo, actionData }: OrganizationDialogProps) {
  const { pathname } = useLocation()
  const fetcher = useFetcher<OrganizationAnswer>()
  const result = fetcher.data ?? actionData
  useShowNotifications(result?.notifications)
  const stored = organization.default_agent_provider ?? ''
  const [form, fields] = useForm<KeyFields>({
    id: `provider-key-${organization.id}`,
    lastResult: result?.result,
    defaultValue: {
      default_agent_provider: stored || providers[0],
      default_agent_model: organization.default_agent_model ?? '',
    },
  })
  const { default_agent_provider: providerField } = fields
  const [provider, setProvider] = useState<string>(String(providerField.initialValue ?? ''))
  const chosen = isProvider(provider) ? known[provider] : null
  const action = `${paths.dashboard()}?dialog=provider-key`
  return (
    <Dialog title="Add a provider key" description='Used by agents created with "Use defaults".' closeTo={closeTo}>
      <fetcher.Form method="post" action={action} id={form.id} noValidate data-guard className="grid gap-4">
        <ShownOrganizationInput />
        <input type="hidden" name="back" value={pathname + closeTo} />
        <FormProblem errors={form.errors} />
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-medium">Provider</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {providers.map((name) => (
              <label
                key={name}
                className="flex cursor-pointer items-center gap-2.5 rounded-medium border border-line-strong px-3 py-2.5 hover:bg-sunken has-[:checked]:border-accent has-[:checked]:bg-accent-soft has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
              >
                <input
                  type="radio"
                  name={providerField.name}
                  value={name}
                  defaultChecked={name === providerField.initialValue}
                  onChange={() => setProvider(name)}
                  className="sr-only"
                />
                <span
                  aria-hidden="true"
                  className="grid size-7 shrink-0 place-items-center rounded-small bg-text font-semibold text-meta text-page"
                >
                  {providerLabels[name][0]}
                </span>
                <span className="min-w-0">
                  <span className="block font-medium">{providerLabels[name]}</span>
                  <span className="block truncate text-meta text-soft">{known[name].defaultModel ?? 'Any model'}</span>
                </span>
              </label>
            ))}
          </div>
          <FieldErrors id={providerField.errorId} errors={providerField.errors} />
        </fieldset>
        <KeyField
          field={fields.default_agent_provider_key}
          label="API key"
          stored={provider === stored ? organization.default_agent_provider_key : null}
          fallback={configuredFallback(chosen)}
        />
        <TextField
          field={fields.default_agent_model}
          label="Model"
          maxLength={lengths.model}
          list="key-models"
          placeholder={chosen?.defaultModel ?? undefined}
          hint={chosen?.defaultModel ? `If empty, ${chosen.defaultModel} is used.` : undefined}
        />
        <datalist id="key-models">
          {chosen?.models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
        <TestConnection provider={chosen} action={action} tested={actionData?.connection} />
        <DialogActions closeTo={closeTo} submit="Save" pending={fetcher.state !== 'idle'} />
      </fetcher.Form>
    </Dialog>
  )
}
