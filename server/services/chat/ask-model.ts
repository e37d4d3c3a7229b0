import type { Provider } from '../../../contract/enumerations'
import { buildPrompt, defaultBudget, type Prompt, type PromptInput } from '../../engine/answering/prompt'
import type { ChatModel, ChatRequest } from '../../engine/ports'
import { isProviderError } from '../../errors'
import type { AnswerDraft } from './answer-draft'

export interface ModelSettings extends Pick<ChatRequest, 'model' | 'maxOutputTokens' | 'apiKey'> {
  provider: Provider
}

/**
 * Streams the model's answer through the draft, and yields the text that readers see. If the prompt is too long for the
 * model, asks once more with half the fragments and half the history. Throws ProviderError.
 */
export async function* askModel(
  chatModel: ChatModel,
  { provider, model, maxOutputTokens, apiKey }: ModelSettings,
  input: PromptInput,
  draft: AnswerDraft,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const prompt = buildPrompt(input)
  try {
    yield* ask(prompt)
  } catch (error) {
    // A provider rejects a prompt before it sends any text.
    if (!isProviderError(error) || error.providerFailure !== 'context-too-long') throw error
    const fragments = prompt.fragments.slice(0, Math.ceil(prompt.fragments.length / 2))
    const full = input.budget ?? defaultBudget
    const budget = { ...full, history: Math.round(full.history / 2) }
    yield* ask(buildPrompt({ ...input, fragments, budget }))
  }

  async function* ask({ messages, fragments }: Prompt): AsyncGenerator<string> {
    draft.begin({ provider, model }, fragments)
    for await (const chunk of chatModel.stream({ model, maxOutputTokens, apiKey, messages }, signal)) {
      const text = draft.add(chunk)
      if (text !== '') yield text
    }
  }
}
