import { type AgentStatus, agentStatuses } from '../../../contract/values/enumerations'

/** What decides the status of an agent. */
export interface AgentFacts {
  isArchived: boolean
  isDisabled: boolean
  hasCollection: boolean
  /** Whether its collection has sources. */
  hasSources: boolean
  hasFragments: boolean
  /** Whether it knows a provider, a model and a key. */
  hasProvider: boolean
  isKeyRefused: boolean
  /** Number of latest answers that failed in a row, for another reason than the key. */
  failedAnswers: number
  hasFailedTest: boolean
}

const maxFailedAnswers = 3

/** Computes the status of an agent: the first thing that keeps it from answering. */
export function agentStatusOf(facts: AgentFacts): AgentStatus {
  if (facts.isArchived) return agentStatuses.archived
  if (facts.isDisabled) return agentStatuses.disabled
  if (!facts.hasCollection) return agentStatuses.noCollection
  if (!facts.hasSources) return agentStatuses.noSources
  if (!facts.hasFragments) return agentStatuses.noFragments
  if (!facts.hasProvider) return agentStatuses.noProviderKey
  if (facts.isKeyRefused) return agentStatuses.invalidProviderKey
  return facts.hasFailedTest || facts.failedAnswers >= maxFailedAnswers
    ? agentStatuses.error
    : agentStatuses.operational
}
