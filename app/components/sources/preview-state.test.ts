import { describe, expect, it } from 'vitest'
import type { PreviewSummary } from '../../../contract/views/preview'
import { afterEvents, type PreviewAddress, shownAddresses, startedPreview } from './preview-state'

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

describe('afterEvents', () => {
  it('sorts the addresses into those in and those out', () => {
    const state = afterEvents(startedPreview, [address('/a', true), address('/b', false), summary])
    expect(state.in.map((one) => one.address)).toEqual(['/a'])
    expect(state.out.map((one) => one.address)).toEqual(['/b'])
    expect(state).toMatchObject({ phase: 'running', summary: { found: 3 } })
  })

  it('takes the last word on an address', () => {
    const told = afterEvents(startedPreview, [address('/a', true), address('/b', true)])
    const again = { ...address('/a', false), reason: 'duplicate' }
    const state = afterEvents(told, [again])
    expect(state.in.map((one) => one.address)).toEqual(['/b'])
    expect(state.out).toEqual([again])
    expect(told.in).toHaveLength(2)
  })

  it('keeps only as many as are shown', () => {
    const many = Array.from({ length: shownAddresses * 3 }, (_, at) => address(`/${at}`, true))
    expect(afterEvents(startedPreview, many).in).toHaveLength(shownAddresses)
  })

  it('ends with the last summary', () => {
    expect(afterEvents(startedPreview, [summary, { ...summary, kind: 'done', cut: true }])).toMatchObject({
      phase: 'ended',
      summary: { cut: true },
    })
  })
})
