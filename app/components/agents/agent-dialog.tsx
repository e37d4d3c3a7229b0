import { type SubmissionResult, useForm } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import { lengths } from '../../../contract/values/limits'
import type { AgentView } from '../../../contract/views/chat/agent'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { SelectField } from '../ui/forms/select-field'
import { type CollectionChoices, CollectionField } from './collection-field'

interface AgentDialogProps {
  /** Undefined for a new agent. */
  agent?: Pick<AgentView, 'id' | 'name' | 'description' | 'disabled'>
  /** What a new agent can be linked to. */
  choices?: CollectionChoices
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

interface AgentFields {
  name: string
  description: string
  useDefaults: boolean
  collectionId: string
  disabled: string
}

const availabilities = [
  { value: 'false', label: 'Enabled' },
  { value: 'true', label: 'Disabled' },
]

export function AgentDialog({ agent, choices, closeTo, lastResult }: AgentDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<AgentFields>({
    id: `agent-${agent?.id ?? 'new'}`,
    lastResult,
    defaultValue: agent && { name: agent.name, description: agent.description, disabled: String(agent.disabled) },
  })
  return (
    <Dialog
      title={agent ? 'Edit agent' : 'Add agent'}
      description={agent ? undefined : 'An agent answers questions from the collection that you link to it.'}
      closeTo={closeTo}
    >
      <OrganizationForm replace id={form.id} noValidate data-guard className="grid gap-4">
        {agent && <input type="hidden" name="id" value={agent.id} />}
        <FormProblem errors={form.errors} />
        <TextField
          field={fields.name}
          label="Name"
          required
          maxLength={lengths.agentName}
          placeholder="Workshop helper"
        />
        <TextField field={fields.description} label="Description" rows={3} maxLength={lengths.agentDescription} />
        {agent && (
          <SelectField
            field={fields.disabled}
            label="Availability"
            required
            options={availabilities}
            hint="A disabled agent answers no questions. Its threads and settings stay."
          />
        )}
        {choices && <CollectionField field={fields.collectionId} choices={choices} />}
        {!agent && (
          <label className="flex items-start gap-2.5">
            <input type="checkbox" name={fields.useDefaults.name} defaultChecked className="mt-1" />
            <span>
              <span className="font-[550]">Use defaults</span>
              <span className="block text-small text-soft">Uses your organization's provider, model and key.</span>
            </span>
          </label>
        )}
        <DialogActions
          closeTo={closeTo}
          submit={agent ? 'Save' : 'Add agent'}
          intent={agent ? 'edit-agent' : 'create-agent'}
          pending={navigation.state !== 'idle'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
