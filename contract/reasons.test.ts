import { describe, expect, it } from 'vitest'
import { reasonCodes, reasonText } from './reasons'

describe('reasonText', () => {
  it('has one plain sentence for every code, with and without details', () => {
    for (const code of reasonCodes) {
      for (const text of [
        reasonText(code),
        reasonText(code, { status: 418, contentType: 'image/png', host: 'a.example' }),
      ]) {
        expect(text.length, code).toBeGreaterThan(15)
        expect(text, code).not.toMatch(/undefined|null|\[object/)
      }
    }
  })

  it('names the setting, with its value, that opens a private host', () => {
    expect(reasonText('private-address', { host: 'wiki.intranet' })).toMatch(
      /CRAWL_ALLOW_PRIVATE_NETWORKS=wiki\.intranet(?![^\s])/,
    )
    expect(reasonText('private-address')).toContain('CRAWL_ALLOW_PRIVATE_NETWORKS')
  })

  it('offers no setting for a forbidden address', () => {
    expect(reasonText('forbidden-address', { host: '169.254.169.254' })).not.toMatch(/CRAWL_|operator/)
  })

  it('shows the status of a refused page', () => {
    expect(reasonText('http-client-error', { status: 403 })).toContain('403')
  })
})
