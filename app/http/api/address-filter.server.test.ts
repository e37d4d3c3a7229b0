import { describe, expect, it } from 'vitest'
import { addressFilterOf } from './address-filter.server'

function filterOf(query: string) {
  return addressFilterOf(new URLSearchParams(query))
}

describe('addressFilterOf', () => {
  it('reads every filter', () => {
    expect(filterOf('filter=+storm+&status=idle&reason=excluded&source=abc&page=2')).toEqual({
      filter: 'storm',
      status: 'idle',
      reason: 'excluded',
      sourceId: 'abc',
    })
  })

  it('ignores invalid values and keeps the others', () => {
    expect(filterOf('status=broken&reason=canonical')).toMatchObject({ status: undefined, reason: 'canonical' })
    expect(filterOf(`reason=none&filter=${'x'.repeat(3_000)}&status=fail`)).toMatchObject({
      reason: undefined,
      filter: '',
      status: 'fail',
    })
  })
})
