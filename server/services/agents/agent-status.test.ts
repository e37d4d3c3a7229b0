import { describe, expect, it } from 'vitest'
import { agentStatuses } from '../../../contract/values/enumerations'
import { type AgentFacts, agentStatusOf } from './agent-status'

const ready: AgentFacts = {
  isArchived: false,
  isDisabled: false,
  hasCollection: true,
  hasSources: true,
  hasFragments: true,
  hasProvider: true,
  isKeyRefused: false,
  failedAnswers: 0,
  hasFailedTest: false,
}

describe('agentStatusOf', () => {
  it('is Operational if nothing keeps the agent from answering', () => {
    expect(agentStatusOf(ready)).toBe(agentStatuses.operational)
    expect(agentStatusOf({ ...ready, failedAnswers: 2 })).toBe(agentStatuses.operational)
    expect(agentStatusOf({ ...ready, hasFailedTest: true })).toBe(agentStatuses.error)
  })

  it('names the first thing that keeps it from answering', () => {
    const facts: AgentFacts = { ...ready, failedAnswers: 3 }
    const steps: [Partial<AgentFacts>, number][] = [
      [{}, agentStatuses.error],
      [{ isKeyRefused: true }, agentStatuses.invalidProviderKey],
      [{ hasProvider: false }, agentStatuses.noProviderKey],
      [{ hasFragments: false }, agentStatuses.noFragments],
      [{ hasSources: false }, agentStatuses.noSources],
      [{ hasCollection: false }, agentStatuses.noCollection],
      [{ isDisabled: true }, agentStatuses.disabled],
      [{ isArchived: true }, agentStatuses.archived],
    ]
    for (const [change, status] of steps) expect(agentStatusOf(Object.assign(facts, change))).toBe(status)
  })
})
