import { type SubmissionResult, useForm } from '@conform-to/react'
import { Form, useNavigation } from '@remix-run/react'
import { lengths } from '../../../contract/limits'
import type { AgentView } from '../../../contract/views/agent'
import { Dialog } from '../ui/dialogs/dialog'
import { DialogActions } from '../ui/dialogs/dialog-actions'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'

interface AgentDialogProps {
  /** Undefined for a new agent. */
  agent?: Pick<AgentView, 'id' | 'name' | 'description'>
  closeTo: string
  lastResult: SubmissionResult<string[]> | undefined
}

export function AgentDialog({ agent, closeTo, lastResult }: AgentDialogProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<{ name: string; description: string; useDefaults: boolean }>({
    id: `agent-${agent?.id ?? 'new'}`,
    lastResult,
    defaultValue: agent && { name: agent.name, description: agent.description },
  })
  return (
    <Dialog
      title={agent ? 'Edit agent' : 'Add agent'}
      description={agent ? undefined : 'An agent answers questions from the collection that you link to it.'}
      closeTo={closeTo}
    >
      <Form method="post" replace id={form.id} noValidate data-guard className="grid gap-4">
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
        {!agent && (
          <label className="flex items-start gap-2.5">
            <input type="checkbox" name={fields.useDefaults.name} defaultChecked className="mt-1" />
            <span>
              <span className="font-[550]">Use defaults</span>
              <span className="block text-small text-soft">Takes your organization's provider, model and key.</span>
            </span>
          </label>
        )}
        <DialogActions
          closeTo={closeTo}
          submit={agent ? 'Save' : 'Add agent'}
          intent={agent ? 'edit-agent' : 'create-agent'}
          pending={navigation.state !== 'idle'}
        />
      </Form>
    </Dialog>
  )
}
