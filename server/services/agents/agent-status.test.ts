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

  // contract 4.7: Agent status values 0 to 8
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
    expect(agentStatuses).toEqual({
      error: 0,
      noCollection: 1,
      noSources: 2,
      noFragments: 3,
      operational: 4,
      disabled: 5,
      archived: 6,
      noProviderKey: 7,
      invalidProviderKey: 8,
    })
    for (const [change, status] of steps) expect(agentStatusOf(Object.assign(facts, change))).toBe(status)
  })
})
