import { describe, expect, it } from 'vitest'
import { refreshNotification } from './source-acts.server'

describe('refreshNotification', () => {
  it("has the contract's texts", () => {
    expect(refreshNotification({ code: 'still_working', message: '' }).title).toBe(
      'Your source is taking a long time to process',
    )
    expect(refreshNotification({ code: 'conflict', message: 'Wait.' })).toMatchObject({
      type: 'warning',
      title: 'Failed to refresh source',
      message: 'Wait.',
    })
    expect(refreshNotification({ code: 'quota_exceeded', message: '' })).toMatchObject({
      type: 'warning',
      title: 'Crawl limit reached',
      message: 'You can no longer crawl any more urls.',
    })
    expect(refreshNotification({ code: 'unavailable', message: '' }).title).toBe('Failed to process source')
  })
})
