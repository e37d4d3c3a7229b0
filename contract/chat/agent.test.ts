import { describe, expect, it } from 'vitest'
import { agentEditSchema, agentPatchSchema, agentSettingsFormSchema, agentSettingsSchema } from './agent'

const settings = { provider: 'openai', model: 'gpt-4.1-mini' }
const accepts = (values: object) => agentSettingsSchema.safeParse({ ...settings, ...values }).success

describe('agentSettingsSchema', () => {
  it.each([0.1, 0.2, 0.3, 0.6, 0.7, 0.9, 1, '0.4'])('accepts the similarity %s', (fragment_similarity) => {
    expect(accepts({ fragment_similarity })).toBe(true)
  })

  // contract Sliders: Steps of 0.1 and 16 hold over the API, too
  it('accepts only values of the sliders', () => {
    expect(accepts({ fragment_similarity: 0.35 })).toBe(false)
    expect(accepts({ max_total_output_tokens: 528, message_length: 272 })).toBe(true)
    expect(accepts({ max_total_output_tokens: 513 })).toBe(false)
    expect(accepts({ message_length: 260 })).toBe(false)
    const { error } = agentSettingsSchema.safeParse({ ...settings, message_length: 260 })
    expect(error?.issues[0]?.message).toBe('Max input length is a multiple of 16')
  })

  // contract 5.13: System prompt: 10,000 characters in the field, 20,000 over the API
  it('accepts a prompt of 20,000 characters, of which the form takes 10,000', () => {
    expect(accepts({ prompt: 'x'.repeat(20_000) })).toBe(true)
    expect(accepts({ prompt: 'x'.repeat(20_001) })).toBe(false)
    expect(agentSettingsFormSchema.safeParse({ ...settings, prompt: 'x'.repeat(10_000) }).success).toBe(true)
    expect(agentSettingsFormSchema.safeParse({ ...settings, prompt: 'x'.repeat(10_001) }).success).toBe(false)
  })
})

describe('agentEditSchema', () => {
  it('takes `archived` over /v1, and leaves it undefined without it', () => {
    const parse = (values: object) => agentPatchSchema.parse(values).archived
    expect([parse({ archived: true }), parse({ archived: false }), parse({})]).toEqual([true, false, undefined])
    expect(agentPatchSchema.safeParse({ archived: 1 }).error?.issues[0]?.message).toBe('archived is true or false')
  })

  it('takes `disabled` from JSON and from a form, and leaves it undefined without it', () => {
    const parse = (values: object) => agentEditSchema.parse({ name: 'Helper', ...values }).disabled
    expect([parse({ disabled: true }), parse({ disabled: 'false' }), parse({})]).toEqual([true, false, undefined])
  })
})
