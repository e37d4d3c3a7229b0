import { describe, expect, it } from 'vitest'
import { addressFilterOf } from './address-filter.server'

function asked(query: string) {
  return addressFilterOf(new URLSearchParams(query))
}

describe('addressFilterOf', () => {
  it('reads all that a view is filtered by', () => {
    expect(asked('filter=+storm+&status=idle&reason=excluded&source=abc&page=2')).toEqual({
      filter: 'storm',
      status: 'idle',
      reason: 'excluded',
      sourceId: 'abc',
    })
  })

  it('asks for nothing by a value that makes no sense, and keeps the others', () => {
    expect(asked('status=broken&reason=canonical')).toMatchObject({ status: undefined, reason: 'canonical' })
    expect(asked(`reason=none&filter=${'x'.repeat(3_000)}&status=fail`)).toMatchObject({
      reason: undefined,
      filter: '',
      status: 'fail',
    })
  })
})
