import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Meter, meterLevel } from './meter'

describe('meterLevel', () => {
  it('is a warning above 50 % and a danger above 75 %', () => {
    expect(meterLevel(50, 100)).toBe('normal')
    expect(meterLevel(51, 100)).toBe('warning')
    expect(meterLevel(75, 100)).toBe('warning')
    expect(meterLevel(76, 100)).toBe('danger')
  })

  it('is normal without a limit', () => {
    expect(meterLevel(1_000_000, 0)).toBe('normal')
  })
})

describe('Meter', () => {
  it("says 'Unlimited' in place of a bar for a limit of 0", () => {
    const html = renderToStaticMarkup(<Meter label="Agents" used={3} limit={0} format={String} />)
    expect(html).toMatch(/>3<.*>Unlimited</)
    expect(html).not.toContain('<progress')
  })

  it('says that a limit is of the month', () => {
    const html = renderToStaticMarkup(<Meter label="Crawls" used={3} limit={9} period=" this month" format={String} />)
    expect(html).toContain('of 9 this month')
  })

  it('does not exceed its limit', () => {
    const html = renderToStaticMarkup(<Meter label="Agents" used={9} limit={3} format={String} />)
    expect(html).toContain('aria-label="Agents: 9 of 3"')
    expect(html).toContain('value="3"')
  })
})
