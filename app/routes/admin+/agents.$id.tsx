import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { MessagesSquare } from 'lucide-react'
import { providerLabels } from '../../../contract/values/enumerations'
import type { AdminAgent } from '../../../contract/views/admin'
import { creatorLink, type Fact, FactsCard, RecordHead, timeOr, yesNo } from '../../components/admin/facts'
import { AgentStatusBadge } from '../../components/agents/agent-status'
import { LinkButton } from '../../components/ui/button'
import { formatCount } from '../../components/ui/format'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.agent.name ?? 'Agent'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'agent', async ({ services, actor }, id) => ({
    agent: await services.admin.agent(actor, id),
  }))
}

export default function Agent() {
  const { agent } = useLoaderData<typeof loader>()
  return (
    <>
      <RecordHead name="agents" record={agent} title={agent.name} badge={<AgentStatusBadge status={agent.status} />}>
        <LinkButton to={paths.adminList('threads', { agent_id: agent.id })}>
          <MessagesSquare aria-hidden="true" />
          Threads
        </LinkButton>
      </RecordHead>
      <div className="grid gap-5">
        <FactsCard
          title="Details"
          facts={[
            ['ID', agent.id],
            ['Description', agent.description || 'No description'],
            ['Organization', agent.organization.name],
            ['Collection', agent.collection?.name ?? null],
            ['Created by', creatorLink(agent.created_by_user)],
            ['Created at', timeOr(agent.created_at, '')],
          ]}
        />
        <FactsCard
          title="Behaviour"
          facts={[
            ['Conversation history', historyOf(agent.history_limit)],
            ['Output token limit', formatCount(agent.max_total_output_tokens)],
            ['Max input length', `${formatCount(agent.message_length)} characters`],
            ['Custom prompt', agent.prompt || 'Not set'],
          ]}
        />
        <FactsCard title="API safety" facts={safetyOf(agent.keychain)} />
        <FactsCard
          title="Provider"
          facts={[
            ['Provider', agent.provider && providerLabels[agent.provider]],
            ['Model', agent.model],
            ['Has API key', yesNo(agent.has_provider_key)],
            ['Key in use', agent.key_source && keySources[agent.key_source]],
            ['Moderation', yesNo(agent.moderation)],
          ]}
        />
        <FactsCard
          title="Fragment retrieval"
          facts={[
            ['Similarity threshold', String(agent.fragment_similarity)],
            ['Fragment limit', formatCount(agent.fragment_limit)],
          ]}
        />
      </div>
    </>
  )
}

const keySources = { agent: "The agent's", organization: "The organization's", server: "The server's" } as const

function historyOf(limit: number): string {
  return limit === -1 ? 'All messages' : `${formatCount(limit)} messages`
}

function safetyOf(keychain: AdminAgent['keychain']): Fact[] {
  if (keychain === null) return [['Keychain', 'No keychain created.']]
  return [
    ['Allowed private API IP addresses', keychain.allowed_ips || 'Any'],
    ['Allowed public API origins', keychain.allowed_origins || 'Any'],
  ]
}
