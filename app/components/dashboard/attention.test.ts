import { describe, expect, it } from 'vitest'
import { initialPlans, planLimits } from '../../../contract/organizations/plan'
import { agentStatuses } from '../../../contract/values/enumerations'
import type { Usage } from '../../../contract/views/organizations/organization'
import { attentionItems } from './attention'

const usage = Object.fromEntries(planLimits.map((limit) => [limit, 0])) as Usage
const plan = { ...initialPlans.free, name: 'free', display_name: 'Free Plan' }
const overview = {
  notices: [],
  failed_sources: { docs: [], total: 0 },
  agents_in_need: [],
  unanswered: 0,
  pending_embeddings: 0,
  crawls: [],
}
const calm = { overview, usage, plan, mayEdit: true }
const titles = (facts: Parameters<typeof attentionItems>[0]) => attentionItems(facts).map(({ title }) => title)

describe('attentionItems', () => {
  it('is empty if nothing needs attention', () => {
    expect(attentionItems(calm)).toEqual([])
  })

  it('begins with what the server noticed, and says nothing twice', () => {
    const created_at = '2026-01-31T00:00:00.000Z'
    const failed = { id: 's1', collection_id: 'c1', name: 'Old shop', message: 'robots.txt blocks Sitelore.' }
    const path = '/dashboard/collection/c1/source/s1'
    const agent = { id: 'a1', name: 'Helper', status: agentStatuses.error }
    const notices = [
      {
        kind: 'disk-low' as const,
        title: 'Only 3 % of the disk are free',
        text: '',
        path: '/admin/health',
        created_at,
      },
      { kind: 'plan-limit' as const, title: 'Messages', text: '', path: '/dashboard/settings/usage', created_at },
      { kind: 'source-failing' as const, title: 'Old shop, three times', text: 'robots.txt', path, created_at },
      { kind: 'answers-failing' as const, title: '6 of 10', text: '', path: '/dashboard/agent/a1', created_at },
    ]
    const noticed = { ...overview, notices, failed_sources: { docs: [failed], total: 1 }, agents_in_need: [agent] }
    expect(attentionItems({ ...calm, overview: noticed })).toEqual([
      { title: 'Only 3 % of the disk are free', text: '', action: { label: 'Open', to: '/admin/health' } },
      { title: 'Old shop, three times', text: 'robots.txt', action: { label: 'Open', to: path } },
      { title: '6 of 10', text: '', action: { label: 'Open', to: '/dashboard/agent/a1' } },
    ])
  })

  it('lists failed sources with their reason, and counts those that are not listed', () => {
    const failed = { id: 's1', collection_id: 'c1', name: 'Old shop', message: 'robots.txt blocks Sitelore.' }
    const items = attentionItems({ ...calm, overview: { ...overview, failed_sources: { docs: [failed], total: 3 } } })
    expect(items[0]).toEqual({
      title: 'Sitelore could not read Old shop',
      text: 'robots.txt blocks Sitelore.',
      action: { label: 'Open', to: '/dashboard/collection/c1/source/s1' },
    })
    expect(items[1]?.title).toBe('Sitelore could not read 2 more sources')
  })

  it('leads administrators to the settings of an agent without a key, and others to the agent', () => {
    const agent = { id: 'a1', name: 'Helper', status: agentStatuses.noProviderKey }
    const facts = { ...calm, overview: { ...overview, agents_in_need: [agent] } }
    expect(attentionItems(facts)).toMatchObject([
      { title: 'Helper needs a provider API key', action: { to: '/dashboard/agent/a1/ai' } },
    ])
    expect(attentionItems({ ...facts, mayEdit: false })).toMatchObject([{ action: { to: '/dashboard/agent/a1' } }])
  })

  it('names limits of which more than 75 % are used', () => {
    const limited = { ...plan, messages: 500, urls: 100, agents: 0 }
    const used = { ...usage, messages: 412, urls: 75, agents: 1_000 }
    expect(attentionItems({ ...calm, usage: used, plan: limited })).toEqual([
      {
        title: 'Messages at 82 % of the plan',
        text: '412 of 500 this month',
        action: { label: 'Usage', to: '#usage' },
      },
    ])
  })

  it('counts unanswered questions, and pending embeddings unless they are in progress', () => {
    const late = { ...overview, unanswered: 7, pending_embeddings: 4_655 }
    expect(titles({ ...calm, overview: late })).toEqual([
      '7 questions without an answer',
      'The semantic index is behind: 4,655 left',
    ])
    const crawling = { ...late, crawls: [{}] as never }
    expect(titles({ ...calm, overview: crawling })).toEqual(['7 questions without an answer'])
  })
})
