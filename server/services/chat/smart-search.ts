import type { SimpleChatInput } from '../../../contract/chat/thread'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { SimpleChatView } from '../../../contract/views/chat/thread'
import type { Actor } from '../../actor'
import { AppError, isAppError } from '../../errors'
import { notFound } from '../../policy'
import type { Reauthenticate } from '../access/watch-access'
import type { Search } from '../search/search-collections'
import type { Chat } from './chat'
import type { ChatMeta } from './chat-store'

/** Errors of an agent that cannot answer, although it can search. */
const unanswerable: readonly string[] = ['conflict', 'not_found', 'quota_exceeded', 'unavailable']

export function createSmartSearch({ chat, search }: { chat: Pick<Chat, 'reply'>; search: Pick<Search, 'agent'> }) {
  /**
   * Answers a question with the agent of a key, in a thread of its own. Returns the fragments alone, with the message
   * null, if the agent cannot answer: without a provider, with a used-up plan, or if the provider fails. Throws forbidden
   * if the key is regenerated meanwhile.
   */
  return async (
    actor: Actor,
    { prompt }: SimpleChatInput,
    meta: ChatMeta,
    signal: AbortSignal,
    reauthenticate?: Reauthenticate,
  ): Promise<SimpleChatView> => {
    if (actor.kind !== 'key') throw notFound()
    const ref = { organizationId: actor.organizationId, agentId: actor.agentId }
    let fragments: FragmentView[] = []
    try {
      for await (const event of chat.reply(actor, ref, { prompt }, meta, signal, reauthenticate)) {
        if (event.type === 'sources-found') fragments = event.fragments
        if (event.type === 'answer-error' && event.code === 'forbidden') throw new AppError('forbidden', event.message)
        if (event.type === 'answer-end') return { message: event.message.content, fragments: event.message.fragments }
      }
      if (fragments.length > 0) return { message: null, fragments }
    } catch (error) {
      if (!isAppError(error) || !unanswerable.includes(error.code)) throw error
    }
    const found = await search.agent(actor, ref, { query: prompt }, signal)
    return { message: null, fragments: found.fragments.map(({ passage: _, ...fragment }) => fragment) }
  }
}
