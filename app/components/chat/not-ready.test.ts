import { expect, it } from 'vitest'
import { agentStatuses } from '../../../contract/values/enumerations'
import { canAsk } from './not-ready'

// contract 2i.15: The chat is available unless collection or provider key is missing
it('takes questions unless collection or key is missing, or the agent is out of use', () => {
  const { noCollection, noProviderKey, disabled, archived, ...asked } = agentStatuses
  for (const status of [noCollection, noProviderKey, disabled, archived]) expect(canAsk(status)).toBe(false)
  for (const [name, status] of Object.entries(asked)) expect(canAsk(status), name).toBe(true)
})
