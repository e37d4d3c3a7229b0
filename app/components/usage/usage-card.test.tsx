import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { initialPlans, planLimits } from '../../../contract/organizations/plan'
import type { OrganizationView, Usage } from '../../../contract/views/organizations/organization'
import { UsageCard } from './usage-card'

const nothing = Object.fromEntries(planLimits.map((limit) => [limit, 0])) as Usage
const { free } = initialPlans

function shown(usage: Partial<Usage>, isStaff: boolean): string {
  const organization = { id: 'o1', plan: free } as OrganizationView
  return renderToStaticMarkup(
    <UsageCard
      usage={{ ...nothing, ...usage }}
      organization={organization}
      resetsAt="2026-12-01T00:00:00.000Z"
      isStaff={isStaff}
    />,
  )
}

describe('the usage overview', () => {
  it('has a meter for each limit of a plan', () => {
    expect(shown({}, false).match(/<progress/g)).toHaveLength(planLimits.length)
  })

  it('says when the monthly meters start from zero', () => {
    expect(shown({}, false)).toContain('Monthly meters reset on December 1')
  })

  it('tells staff the command for a larger plan when a limit is reached', () => {
    const command = 'sitelore plans assign &lt;plan&gt; --organization o1'
    const full = { searches: free.searches }
    expect(shown(full, true)).toContain(command)
    expect(shown(full, false)).not.toContain(command)
    expect(shown({ searches: free.searches - 1 }, true)).not.toContain(command)
  })
})
