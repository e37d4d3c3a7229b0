import { agentStatuses } from '../../../contract/values/enumerations'
import type { OrganizationView, Usage } from '../../../contract/views/organizations/organization'
import type { AgentInNeed, OverviewView } from '../../../contract/views/overview'
import { paths } from '../../paths'
import { meterLevel } from '../ui/feedback/meter'
import { formatCount, formatCounted } from '../ui/format'
import { formatUsage, meters } from '../usage/meters'

/** One thing that a person should look at. */
export interface AttentionItem {
  title: string
  text: string
  action: { label: string; to: string }
}

interface AttentionFacts {
  overview: Pick<
    OverviewView,
    'notices' | 'failed_sources' | 'agents_in_need' | 'unanswered' | 'pending_embeddings' | 'crawls'
  >
  usage: Usage
  plan: OrganizationView['plan']
  /** Whether the person may open the settings of agents. */
  mayEdit: boolean
}

/**
 * What needs attention, the most urgent first: what the server noticed, failures, agents that cannot answer, limits, then
 * what is only late. The meters below say more of a limit than its notice.
 */
export function attentionItems({ overview, usage, plan, mayEdit }: AttentionFacts): AttentionItem[] {
  const { notices, failed_sources: failed, agents_in_need: agents, unanswered, pending_embeddings, crawls } = overview
  const items: AttentionItem[] = notices
    .filter(({ kind }) => kind !== 'plan-limit')
    .map(({ title, text, path }) => ({ title, text, action: { label: 'Open', to: path } }))
  const isNoticed = (path: string) => notices.some((notice) => notice.path === path)
  for (const { id, collection_id, name, message } of failed.docs) {
    const to = paths.source(collection_id, id)
    if (isNoticed(to)) continue
    items.push({
      title: `Sitelore could not read ${name}`,
      text: message ?? 'The last run failed.',
      action: { label: 'Open', to },
    })
  }
  if (failed.total > failed.docs.length) {
    items.push({
      title: `Sitelore could not read ${formatCounted(failed.total - failed.docs.length, 'more source')}`,
      text: 'Open their collections to see why.',
      action: { label: 'Open', to: paths.collections() },
    })
  }
  items.push(...agents.filter(({ id }) => !isNoticed(paths.agent(id))).map((agent) => agentItem(agent, mayEdit)))
  for (const { key, label, isMonthly } of meters) {
    if (meterLevel(usage[key], plan[key]) !== 'danger') continue
    const percent = Math.floor((100 * usage[key]) / plan[key])
    items.push({
      title: `${label} at ${percent} % of the plan`,
      text: `${formatUsage(key, usage[key])} of ${formatUsage(key, plan[key])}${isMonthly ? ' this month' : ''}`,
      action: { label: 'Usage', to: '#usage' },
    })
  }
  if (unanswered > 0) {
    items.push({
      title: `${formatCounted(unanswered, 'question')} without an answer`,
      text: 'In the last 7 days',
      action: { label: 'Review', to: `${paths.threads()}?verdict=not-found` },
    })
  }
  // While the index is being built, the rows of its sources show how far it is.
  if (pending_embeddings > 0 && crawls.length === 0) {
    items.push({
      title: `The semantic index is behind: ${formatCount(pending_embeddings)} left`,
      text: 'Only keyword search finds these fragments.',
      action: { label: 'Open', to: paths.collections() },
    })
  }
  return items
}

function agentItem({ id, name, status }: AgentInNeed, mayEdit: boolean): AttentionItem {
  const settings = mayEdit ? { label: 'Settings', to: paths.agentSettings(id) } : { label: 'Open', to: paths.agent(id) }
  switch (status) {
    case agentStatuses.noProviderKey:
      return { title: `${name} needs a provider API key`, text: 'Search works without it.', action: settings }
    case agentStatuses.invalidProviderKey:
      return { title: `The API key of ${name} was refused`, text: 'Save a valid key.', action: settings }
    case agentStatuses.noCollection:
      return {
        title: `${name} needs a collection`,
        text: 'It has nothing to answer from.',
        action: { label: 'Link', to: mayEdit ? `${paths.agent(id)}?dialog=link` : paths.agent(id) },
      }
    default:
      return {
        title: `The last three answers of ${name} failed`,
        text: 'Its chat says why.',
        action: { label: 'Open', to: paths.agent(id) },
      }
  }
}
