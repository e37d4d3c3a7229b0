import type { MessageView, ThreadView } from '../../views/chat/thread'

/** A thread as a JSON file, as the contract names its fields. */
export function threadExport(thread: Pick<ThreadView, 'id' | 'agent_id' | 'title'> & { messages?: MessageView[] }) {
  return {
    agentId: thread.agent_id,
    threadId: thread.id,
    title: thread.title,
    exportedAt: new Date().toISOString(),
    messages: thread.messages ?? [],
  }
}
