import type { SubmissionResult } from '@conform-to/react'
import { lengths } from '../../../contract/values/limits'
import type { AgentView } from '../../../contract/views/chat/agent'
import { NameDialog } from '../named/name-dialog'
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
  return (
    <NameDialog<AgentFields>
      kind="agent"
      title={agent ? 'Edit agent' : 'Add agent'}
      description={agent ? undefined : 'An agent answers questions from the collection that you link to it.'}
      submit={agent ? 'Save' : 'Add agent'}
      edited={
        agent && {
          id: agent.id,
          name: agent.name,
          description: agent.description,
          disabled: String(agent.disabled),
        }
      }
      placeholder="Workshop helper"
      maxLengths={{ name: lengths.agentName, description: lengths.agentDescription }}
      closeTo={closeTo}
      lastResult={lastResult}
    >
      {(fields) => (
        <>
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
                <span className="font-medium">Use defaults</span>
                <span className="block text-meta text-soft">Uses your organization's provider, model and key.</span>
              </span>
            </label>
          )}
        </>
      )}
    </NameDialog>
  )
}
