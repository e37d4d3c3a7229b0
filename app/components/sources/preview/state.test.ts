import { describe, expect, it } from 'vitest'
import type { PreviewSummary } from '../../../../contract/views/preview'
import { applyEvents, initialPreview, maxListedAddresses, type PreviewAddress } from './state'

function address(path: string, isIn: boolean): PreviewAddress {
  const why = isIn ? null : 'excluded'
  return { kind: 'address', address: path, in: isIn, reason: why, message: why, title: null, depth: 1, read: false }
}

const summary: PreviewSummary = {
  kind: 'progress',
  found: 3,
  in: 2,
  out: 1,
  read: 1,
  reasons: [],
  folders: [],
  estimate: null,
  cut: false,
}

describe('applyEvents', () => {
  it('sorts the addresses into those in and those out', () => {
    const state = applyEvents(initialPreview, [address('/a', true), address('/b', false), summary])
    expect(state.in.map(({ address }) => address)).toEqual(['/a'])
    expect(state.out.map(({ address }) => address)).toEqual(['/b'])
    expect(state).toMatchObject({ phase: 'running', summary: { found: 3 } })
  })

  it('replaces an address that is reported again', () => {
    const first = applyEvents(initialPreview, [address('/a', true), address('/b', true)])
    const again = { ...address('/a', false), reason: 'duplicate' }
    const state = applyEvents(first, [again])
    expect(state.in.map(({ address }) => address)).toEqual(['/b'])
    expect(state.out).toEqual([again])
    expect(first.in).toHaveLength(2)
  })

  it('keeps a limited number of addresses', () => {
    const events = Array.from({ length: maxListedAddresses * 3 }, (_, index) => address(`/${index}`, true))
    expect(applyEvents(initialPreview, events).in).toHaveLength(maxListedAddresses)
  })

  it('ends with the last summary', () => {
    expect(applyEvents(initialPreview, [summary, { ...summary, kind: 'done', cut: true }])).toMatchObject({
      phase: 'ended',
      summary: { cut: true },
    })
  })
})
