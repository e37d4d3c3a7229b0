import type { AppLoadContext } from '@remix-run/node'
import type { Completion } from '../../../contract/chat/openai'
import { incompleteAnswers } from '../../../contract/texts/chat/message-status'
import { reasoningNotice } from '../../../contract/texts/chat/reasoning-notice'
import type { CompletionAnnotation, CompletionView, FinishReason } from '../../../contract/views/chat/openai'
import type { ChatEvent, MessageView } from '../../../contract/views/chat/thread'
import { AppError } from '../../../server/errors'
import { completeAnswer } from './chat-answer.server'
import { eventStream, RawData, type ServerEvent } from './sse.server'

/** What each response of a completion has in common. */
interface Heading {
  id: string
  created: number
  model: string
}

/** Responds as OpenAI's chat completions do. */
export async function completion(events: AsyncGenerator<ChatEvent>, { model }: Completion): Promise<CompletionView> {
  const { threadId, message } = await completeAnswer(events)
  const { content } = message
  const written = { role: 'assistant', content, refusal: null, annotations: annotationsOf(message) } as const
  return {
    ...headingOf(threadId, model),
    object: 'chat.completion',
    choices: [{ index: 0, message: written, logprobs: null, finish_reason: finishReasonOf(message) }],
    usage: usageOf(message),
  }
}

/** Streams the chunks of a completion. Rejects if the answer fails before its first event. */
export async function completionStream(
  events: AsyncGenerator<ChatEvent>,
  request: Completion,
  context: Pick<AppLoadContext, 'signal' | 'report'>,
): Promise<Response> {
  const first = await events.next()
  return eventStream(context, chunksOf(first, events, request))
}

/** An error in the form that OpenAI's clients read. Takes the response to it as a problem detail. */
export async function openAiFailure(problem: Response): Promise<Response> {
  const { message, code, errors } = (await problem.json()) as {
    message: string
    code: string
    errors?: Record<string, string[]>
  }
  const headers = new Headers(problem.headers)
  headers.set('Content-Type', 'application/json; charset=utf-8')
  const body = { error: errorOf(message, code, problem.status, Object.keys(errors ?? {})[0] ?? null) }
  return new Response(JSON.stringify(body), { status: problem.status, headers })
}

async function* chunksOf(
  first: IteratorResult<ChatEvent>,
  events: AsyncGenerator<ChatEvent>,
  { model, includesUsage }: Completion,
): AsyncGenerator<ServerEvent> {
  let heading = headingOf('', model)
  let sentLength = 0
  /** Where the answer begins in the text that was sent. */
  let answerIndex = 0
  const chunk = (delta: object, finish: FinishReason | null = null): ServerEvent => {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish }
    return { data: { ...heading, object: 'chat.completion.chunk', choices: [choice] } }
  }
  try {
    for (let next = first; !next.done; next = await events.next()) {
      const event = next.value
      if (event.type === 'sources-found') {
        heading = headingOf(event.threadId, model)
        yield chunk({ role: 'assistant', content: '' })
      } else if (event.type === 'text-delta') {
        sentLength += event.text.length
        yield chunk({ content: event.text })
      } else if (event.type === 'text-discard') {
        sentLength += reasoningNotice.length
        answerIndex = sentLength
        yield chunk({ content: reasoningNotice })
      } else if (event.type === 'answer-error') {
        yield { data: { error: errorOf(event.message, event.code, 502, null) } }
      } else if (event.type === 'answer-end') {
        yield chunk({ annotations: annotationsOf(event.message, answerIndex) })
        yield chunk({}, finishReasonOf(event.message))
        const usage = usageOf(event.message)
        if (includesUsage) yield { data: { ...heading, object: 'chat.completion.chunk', choices: [], usage } }
      }
    }
    yield { data: new RawData('[DONE]') }
  } finally {
    await events.return(undefined)
  }
}

function headingOf(threadId: string, model: string): Heading {
  return { id: `chatcmpl-${threadId}`, created: Math.floor(Date.now() / 1000), model }
}

function usageOf({ tokens_input, tokens_output }: MessageView) {
  const [input, output] = [tokens_input ?? 0, tokens_output ?? 0]
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function finishReasonOf({ status_message: why }: MessageView): FinishReason {
  if (why === incompleteAnswers.length) return 'length'
  return why === incompleteAnswers.filtered ? 'content_filter' : 'stop'
}

/** The citations of an answer that begins at `answerIndex`, with the places of their links in its Markdown. */
function annotationsOf({ content, fragments }: MessageView, answerIndex = 0): CompletionAnnotation[] {
  return [...content.matchAll(/\[(\d{1,2})\]\((\S+?)\)/g)].flatMap((match) => {
    const fragment = fragments[Number(match[1]) - 1]
    if (!fragment) return []
    const start = answerIndex + match.index
    const place = { start_index: start, end_index: start + match[0].length }
    return { type: 'url_citation', url_citation: { ...place, url: fragment.url, title: fragment.title } }
  })
}

function errorOf(message: string, code: string, status: number, param: string | null) {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { message, type, param, code }
}

/** Throws not_found for another model than the agent of the key. */
export function assertModel(model: string, agentId: string): void {
  if (model !== agentId)
    throw new AppError('not_found', `The model ${model} does not exist. This key is for the model ${agentId}.`)
}
