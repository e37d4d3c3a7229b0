import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { initialPlans, planLimits } from '../../../contract/organizations/plan'
import type { UsageRecord } from '../../../contract/views/organizations/organization'
import { MembersCard, OnboardingCard, PlanCard, UsageCard } from './organization-cards'

const nothing = Object.fromEntries(planLimits.map((limit) => [limit, 0])) as Omit<UsageRecord, 'year' | 'month'>

/** Names and values of a card, as texts. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|')
    .replaceAll('&#x27;', "'")
}

describe('the usage of an organization', () => {
  // contract 2m.16: Organization: usage by month
  // contract 9.8: Storage in the admin area is shown in bytes
  it('has a row for each month, with storage in bytes', () => {
    const records = [
      { ...nothing, year: 2026, month: 2, storage: 12_345_678, messages: 1_200 },
      { ...nothing, year: 2025, month: 12, api_requests: 7 },
    ]
    const text = textOf(renderToStaticMarkup(<UsageCard records={records} />))
    expect(text).toContain(
      '|Year/Month|Collections|Sources|URLs|Storage (bytes)|Agents|Threads|Crawls|Searches|Messages|API requests|',
    )
    expect(text).toContain('|2026/02|0|0|0|12,345,678|0|0|0|0|1,200|0|2025/12|0|0|0|0|0|0|0|0|0|7|')
  })

  it('has the tokens that a service has embedded, if there are any', () => {
    const records = [{ ...nothing, year: 2026, month: 2, embedding_tokens: 1_200 }]
    const text = textOf(renderToStaticMarkup(<UsageCard records={records} />))
    expect(text).toContain('|API requests|Embedded tokens|')
    expect(text).toContain('|0|1,200|')
  })

  // texts Admin details: `No usage records.`
  it('says when there is none', () => {
    expect(renderToStaticMarkup(<UsageCard records={[]} />)).toContain('No usage records.')
  })
})

describe('the plan of an organization', () => {
  // contract 2m.18: Organization: total and monthly limits, or Unlimited
  it('has total and monthly limits, and says which have none', () => {
    const plan = { ...nothing, name: 'team', display_name: 'Team', urls: 2_000, storage: 3_145_728, messages: 500 }
    const text = textOf(renderToStaticMarkup(<PlanCard plan={plan} />))
    expect(text).toContain('|Plan Details|Team|')
    expect(text).toContain(
      '|Total limits|Collections|Unlimited|Sources|Unlimited|URLs|2,000|Storage|3,145,728 bytes (3 MB)|Agents|Unlimited|Threads|Unlimited|',
    )
    expect(text).toContain('|Monthly limits|Crawls|Unlimited|Searches|Unlimited|Messages|500|API requests|Unlimited|')
    expect(textOf(renderToStaticMarkup(<PlanCard plan={initialPlans.unlimited} />)).split('Unlimited')).toHaveLength(11)
  })
})

describe('the onboarding of an organization', () => {
  // contract 2m.17: Organization: onboarding
  it('has the answers by their labels', () => {
    const onboarding = {
      sector: 'ecommerce',
      size: 'Solo (1)',
      position: 'other:Lamp maker',
      source: 'search',
      goals: ['semantic_search', 'other:Fewer calls'],
      created_at: '2026-01-31T12:00:00.000Z',
    }
    const text = textOf(renderToStaticMarkup(<OnboardingCard onboarding={onboarding} />))
    for (const name of ['Sector', 'Size', "Admin's position", 'Source', 'Goals', 'Onboarded at'])
      expect(text).toContain(`|${name}|`)
    expect(text).toContain('|Other: Lamp maker|')
    expect(text).toMatch(/\|[^|]+, Other: Fewer calls\|/)
  })

  it('says when nobody answered yet', () => {
    expect(renderToStaticMarkup(<OnboardingCard onboarding={null} />)).toContain('Not onboarded yet.')
  })
})

it('says when an organization has no members', () => {
  expect(renderToStaticMarkup(<MembersCard members={[]} total={0} />)).toContain('No members.')
})
