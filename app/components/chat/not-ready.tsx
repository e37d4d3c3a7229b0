import { type AgentStatus, agentStatuses } from '../../../contract/values/enumerations'
import { paths } from '../../paths'
import { LinkButton } from '../ui/button'
import { Notice } from '../ui/feedback/notice'

interface NotReadyProps {
  agent: {
    id: string
    status: AgentStatus
    collection_id: string | null
    test_failure?: string | null | undefined
    abilities: { settings: boolean; link: boolean }
  }
}

/** Says what keeps an agent from answering; null if nothing does. */
export function NotReady({ agent }: NotReadyProps) {
  const { id, status, abilities } = agent
  const search = (
    <LinkButton key="search" to={paths.agentSearch(id)}>
      Smart Search
    </LinkButton>
  )
  switch (status) {
    case agentStatuses.noCollection:
      return (
        <Notice
          kind="warning"
          title="This agent needs a collection"
          action={
            abilities.link && (
              <LinkButton to="?dialog=link" variant="primary">
                Link a Collection
              </LinkButton>
            )
          }
        >
          {abilities.link
            ? 'Link a collection to chat with its data.'
            : 'Ask an administrator of your organization to link one.'}
        </Notice>
      )
    case agentStatuses.noSources:
    case agentStatuses.noFragments:
      return (
        <Notice
          kind="warning"
          title={
            status === agentStatuses.noSources ? 'The collection has no sources yet' : 'The collection has no data yet'
          }
          action={
            agent.collection_id && (
              <LinkButton to={paths.collection(agent.collection_id)}>Open the collection</LinkButton>
            )
          }
        >
          {status === agentStatuses.noSources
            ? 'Add a source to chat with its data.'
            : 'Its sources are still being crawled, or they contain no text.'}
        </Notice>
      )
    case agentStatuses.noProviderKey:
    case agentStatuses.invalidProviderKey:
      return (
        <Notice
          kind="warning"
          title={
            status === agentStatuses.noProviderKey
              ? 'This agent needs a provider API key'
              : 'The provider rejected the API key'
          }
          action={
            <div className="flex flex-wrap gap-2">
              {search}
              {abilities.settings && (
                <LinkButton to={paths.agentSettings(id)} variant="primary">
                  Agent Settings
                </LinkButton>
              )}
            </div>
          }
        >
          {status === agentStatuses.noProviderKey
            ? abilities.settings
              ? 'Enter one in Agent Settings to chat.'
              : 'Ask an administrator of your organization to enter one.'
            : abilities.settings
              ? 'Save a valid key in Agent Settings to chat.'
              : 'Ask an administrator of your organization to save a valid one.'}{' '}
          Search works without it.
        </Notice>
      )
    case agentStatuses.error:
      return (
        <Notice
          kind="warning"
          title={agent.test_failure ? 'The last connection test failed' : 'Recent answers failed'}
          action={search}
        >
          {agent.test_failure ?? 'See below.'} The next answer that succeeds ends this status.
        </Notice>
      )
    case agentStatuses.disabled:
    case agentStatuses.archived:
      return (
        <Notice
          kind="info"
          title={status === agentStatuses.disabled ? 'This agent is disabled' : 'This agent is archived'}
          action={search}
        >
          It answers no questions. Search works without it.
        </Notice>
      )
    default:
      return null
  }
}

/** The statuses in which an agent takes no questions. In all others, an answer says what is missing. */
const silent: readonly AgentStatus[] = [
  agentStatuses.noCollection,
  agentStatuses.noProviderKey,
  agentStatuses.disabled,
  agentStatuses.archived,
]

export function canAsk(status: AgentStatus): boolean {
  return !silent.includes(status)
}
