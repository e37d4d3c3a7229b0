import type { Provider } from '../../../contract/values/enumerations'
import type { ChatEvent } from '../../../contract/views/chat/thread'
import { type Prompt, type PromptInput, shortenPrompt } from '../../engine/answering/prompt'
import type { ChatModel, ChatRequest } from '../../engine/ports/chat-model'
import { isProviderError } from '../../errors'
import type { AnswerDraft } from './answer-draft'

export interface ModelSettings extends Pick<ChatRequest, 'model' | 'maxOutputTokens' | 'apiKey'> {
  provider: Provider
}

type TextEvent = Extract<ChatEvent, { type: 'text-delta' | 'text-discard' }>

/**
 * Streams the model's answer to the prompt, built from `input`, through the draft, and yields the text that readers see, or
 * its withdrawal. If the prompt is too long for the model, asks once more with a shorter one. Throws ProviderError.
 */
export async function* askModel(
  chatModel: ChatModel,
  { provider, model, maxOutputTokens, apiKey }: ModelSettings,
  prompt: Prompt,
  input: PromptInput,
  draft: AnswerDraft,
  signal: AbortSignal,
): AsyncGenerator<TextEvent> {
  try {
    yield* ask(prompt)
  } catch (error) {
    // A provider rejects a prompt before it sends any text.
    if (!isProviderError(error) || error.providerFailure !== 'context-too-long') throw error
    yield* ask(shortenPrompt(prompt, input))
  }

  async function* ask({ messages, fragments }: Prompt): AsyncGenerator<TextEvent> {
    draft.begin({ provider, model }, fragments)
    for await (const chunk of chatModel.stream({ model, maxOutputTokens, apiKey, messages }, signal)) {
      const hadText = draft.state.text !== ''
      const text = draft.add(chunk)
      if (chunk.kind === 'discard' && hadText) yield { type: 'text-discard' }
      if (text !== '') yield { type: 'text-delta', text }
    }
  }
}
