import { describe, expect, it } from 'vitest'
import type { PreviewSummary } from '../../../../contract/views/preview'
import { applyEvents, initialPreview, maxListedAddresses, type PreviewAddress, siteProblem } from './state'

function address(path: string, isIn: boolean): PreviewAddress {
  const why = isIn ? null : 'excluded'
  return {
    kind: 'address',
    address: path,
    in: isIn,
    reason: why,
    message: why,
    title: null,
    depth: 1,
    other_site: false,
    read: false,
  }
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

  it('keeps those of other sites apart', () => {
    const foreign = { ...address('https://other.example/', false), other_site: true }
    const state = applyEvents(initialPreview, [foreign])
    expect(state).toMatchObject({ in: [], out: [], elsewhere: [foreign] })
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

describe('siteProblem', () => {
  const nothing = { ...summary, kind: 'done' as const, found: 1, in: 0, out: 1, read: 0 }

  it('says why the site could not be read', () => {
    const refused = { ...address('https://lamps.example/', false), message: 'The server refused the connection.' }
    expect(siteProblem(applyEvents(initialPreview, [refused, nothing]))).toBe('The server refused the connection.')
  })

  it('is null if something was read, and until the preview ends', () => {
    const out = address('/a', false)
    expect(siteProblem(applyEvents(initialPreview, [out, { ...nothing, read: 1 }]))).toBeNull()
    expect(siteProblem(applyEvents(initialPreview, [out, { ...nothing, kind: 'progress' }]))).toBeNull()
  })
})
