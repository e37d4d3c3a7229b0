import { type SubmissionResult, useForm } from '@conform-to/react'
import { useRef, useState } from 'react'
import { isProvider, type Provider, providerLabels, providers } from '../../../contract/values/enumerations'
import { agentRanges, lengths, maxSuggestions } from '../../../contract/values/limits'
import type { AgentView, ConnectionView, ProviderView } from '../../../contract/views/chat/agent'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard'
import { TextField } from '../ui/forms/field'
import { FormProblem } from '../ui/forms/form-problem'
import { OrganizationForm } from '../ui/forms/organization-form'
import { RangeField } from '../ui/forms/range-field'
import { SelectField } from '../ui/forms/select-field'
import { useSubmitting } from '../ui/forms/use-submitting'
import { configuredFallback, type KeyFallback, KeyField } from './key-field'
import { PromptField } from './prompt-field'
import { SuggestionFields } from './suggestion-fields'
import { TestConnection } from './test-connection'

interface SettingsFormProps {
  agent: AgentView
  providers: Record<Provider, ProviderView>
  lastResult: SubmissionResult<string[]> | undefined
  /** Result of a connection test that was sent without a script. */
  tested: ConnectionView | undefined
}

interface SettingsFields {
  provider: string
  provider_key: string
  model: string
  prompt: string
  fragment_similarity: number
  fragment_limit: number
  history_limit: number
  max_total_output_tokens: number
  message_length: number
  translate_questions: boolean
  suggestions: string[]
  no_suggestions: boolean
}

const providerOptions = providers.map((value) => ({ value, label: providerLabels[value] }))
const historyOptions = agentRanges.historyLimits.map((limit) => ({
  value: String(limit),
  label: limit === -1 ? 'All messages' : limit === 0 ? 'None' : `${limit} messages`,
}))

export function SettingsForm({ agent, providers: known, lastResult, tested }: SettingsFormProps) {
  const submitting = useSubmitting()
  const scope = useRef<HTMLDivElement>(null)
  const [form, fields] = useForm<SettingsFields>({
    id: `settings-${agent.id}`,
    lastResult,
    defaultValue: {
      provider: agent.provider ?? '',
      model: agent.model ?? '',
      prompt: agent.prompt ?? '',
      fragment_similarity: agent.fragment_similarity,
      fragment_limit: agent.fragment_limit,
      history_limit: agent.history_limit,
      max_total_output_tokens: agent.max_total_output_tokens,
      message_length: agent.message_length,
      suggestions: Array.from({ length: maxSuggestions }, (_, index) => agent.own_suggestions?.[index] ?? ''),
    },
  })
  const [provider, setProvider] = useState<string>(String(fields.provider.initialValue ?? ''))
  const chosen = isProvider(provider) ? known[provider] : null
  return (
    <div ref={scope}>
      <UnsavedGuard scope={scope} />
      <OrganizationForm id={form.id} noValidate data-guard className="grid gap-5">
        <FormProblem errors={form.errors} />
        <Card>
          <CardHead title="AI provider" />
          <div className="grid gap-4 p-4 sm:grid-cols-2">
            <SelectField
              field={fields.provider}
              label="Provider"
              required
              options={providerOptions}
              placeholder="Choose a provider"
              onChange={(event) => setProvider(event.currentTarget.value)}
            />
            <TextField
              field={fields.model}
              label="Model"
              required
              maxLength={lengths.model}
              list="models"
              hint="Choose a model from the list, or enter the name of another one."
            />
            <datalist id="models">
              {chosen?.models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
            <div className="sm:col-span-2">
              <KeyField
                field={fields.provider_key}
                stored={provider === agent.provider ? (agent.provider_key ?? null) : null}
                fallback={keyFallback(agent, provider, chosen)}
              />
            </div>
            <div className="sm:col-span-2">
              <TestConnection provider={chosen} action={paths.agentSettings(agent.id)} tested={tested} />
            </div>
          </div>
        </Card>
        <Card>
          <CardHead title="Behaviour" />
          <div className="grid gap-4 p-4">
            <PromptField field={fields.prompt} />
            <p className="text-meta text-soft">
              {agent.moderation
                ? "Messages and this prompt are checked by the provider's moderation service, if it has one."
                : 'Messages are not moderated. They are checked once the agent or the server has an OpenAI key, or the server has OPENAI_BASE_URL.'}
            </p>
            <SelectField
              field={fields.history_limit}
              label="Conversation history"
              required
              options={historyOptions}
              hint="The number of earlier messages that the model receives."
            />
            <RangeField
              field={fields.max_total_output_tokens}
              label="Output token limit"
              hint="The maximum length of an answer, in tokens."
              range={agentRanges.maxTotalOutputTokens}
            />
            <RangeField
              field={fields.message_length}
              label="Max input length"
              hint="The maximum length of a message, in characters."
              range={agentRanges.messageLength}
            />
          </div>
        </Card>
        <SuggestionFields
          agent={agent}
          list={fields.suggestions}
          questions={fields.suggestions.getFieldList()}
          none={fields.no_suggestions.name}
          action={paths.agentSettings(agent.id)}
        />
        <Card>
          <CardHead title="Fragment retrieval" />
          <div className="grid gap-4 p-4">
            <RangeField
              field={fields.fragment_similarity}
              label="Similarity threshold"
              hint="Fragments below this score are ignored."
              range={agentRanges.fragmentSimilarity}
            />
            <RangeField
              field={fields.fragment_limit}
              label="Fragment limit"
              hint="Maximum fragments given to the model."
              range={agentRanges.fragmentLimit}
            />
            <label className="flex items-start gap-2">
              <input
                type="checkbox"
                name={fields.translate_questions.name}
                defaultChecked={agent.translate_questions}
                className="mt-1"
              />
              <span>
                <span className="font-medium">Translate questions</span>
                <span className="block text-meta text-soft">
                  A question in another language than the collection's is also searched in the collection's language.
                  The agent's model translates it, with at most 64 tokens. A multilingual embedding model needs no
                  translation.
                </span>
              </span>
            </label>
          </div>
        </Card>
        {/* In reach from each of the fields above. */}
        <div className="sticky bottom-0 z-10 -mx-1 flex justify-end border-t border-line bg-page px-1 py-3">
          <Button variant="primary" pending={submitting}>
            Save settings
          </Button>
        </div>
      </OrganizationForm>
    </div>
  )
}

/** The key that is used without one of the agent's own. */
function keyFallback(agent: AgentView, provider: string, chosen: ProviderView | null): KeyFallback {
  if (agent.provider === provider && agent.key_source === 'organization') return 'organization'
  return configuredFallback(chosen)
}
