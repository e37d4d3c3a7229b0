import { describe, expect, it } from 'vitest'
import { onboardingSchema } from '../../../contract/organization'
import { labelOf, withOtherText } from './labels'

function form(entries: [string, string][]): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

describe('withOtherText', () => {
  it("joins 'other' with its text, as the contract's schema takes it", () => {
    const joined = withOtherText(
      form([
        ['goals', 'semantic_search'],
        ['goals', 'other'],
        ['goals_other', ' boats '],
        ['sector', 'other'],
        ['sector_other', 'fishing'],
        ['position', 'sales'],
        ['position_other', 'ignored'],
        ['size', 'Solo (1)'],
        ['source', 'other'],
        ['source_other', ''],
      ]),
    )
    const answers = { ...Object.fromEntries(joined), goals: joined.getAll('goals') }
    expect(onboardingSchema.parse(answers)).toEqual({
      goals: ['semantic_search', 'other:boats'],
      sector: 'other:fishing',
      position: 'sales',
      size: 'Solo (1)',
      source: 'other',
    })
  })
})

describe('labelOf', () => {
  it('reads well for every key', () => {
    expect(labelOf('saas_tech')).toBe('SaaS, technology')
    expect(labelOf('healthcare')).toBe('Healthcare')
  })
})
