import { Link } from '@remix-run/react'
import type { AgentView } from '../../../contract/views/chat/agent'
import { paths } from '../../paths'

/** What the agent is for, and the collection that it answers from. */
export function AgentDescription({ agent }: { agent: Pick<AgentView, 'description' | 'collection'> }) {
  return (
    <>
      {agent.description && <span className="block">{agent.description}</span>}
      {agent.collection && (
        <span className="block">
          Answers from{' '}
          <Link to={paths.collection(agent.collection.id)} className="text-accent-strong hover:underline">
            {agent.collection.name}
          </Link>
        </span>
      )}
    </>
  )
}
