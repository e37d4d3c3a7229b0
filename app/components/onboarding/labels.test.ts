import { parseWithZod } from '@conform-to/zod/v4'
import { describe, expect, it } from 'vitest'
import { onboardingSchema } from '../../../contract/organizations/organization'
import { labelOf, withOtherText } from './labels'

function form(entries: [string, string][]): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

function onboardingAnswers(data: FormData) {
  const submission = parseWithZod(data, { schema: onboardingSchema, disableAutoCoercion: true })
  return submission.status === 'success' ? submission.value : null
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
    expect(onboardingAnswers(joined)).toEqual({
      goals: ['semantic_search', 'other:boats'],
      sector: 'other:fishing',
      position: 'sales',
      size: 'Solo (1)',
      source: 'other',
    })
  })
})

describe('a single goal', () => {
  it('is a list as well, and at least one is required', () => {
    const joined = withOtherText(
      form([
        ['goals', 'just_trying'],
        ['sector', 'retail'],
        ['position', 'sales'],
        ['size', 'Solo (1)'],
        ['source', 'search'],
      ]),
    )
    expect(onboardingAnswers(joined)?.goals).toEqual(['just_trying'])
    expect(onboardingAnswers(withOtherText(form([['sector', 'retail']])))).toBeNull()
  })
})

describe('labelOf', () => {
  it('has a readable label for every key', () => {
    expect(labelOf('saas_tech')).toBe('SaaS, technology')
    expect(labelOf('healthcare')).toBe('Healthcare')
  })
})
