import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PreviewNotice } from './preview-notice'

const html = (facts: Partial<Parameters<typeof PreviewNotice>[0]>) =>
  renderToStaticMarkup(<PreviewNotice failure={null} problem={null} outdated={false} {...facts} />)
const noticesIn = (markup: string) => markup.match(/<svg/g)?.length ?? 0

describe('PreviewNotice', () => {
  it('is nothing for a preview that went well', () => {
    expect(html({})).toBe('')
  })

  it('says in one notice what went wrong, and that the fields have changed since', () => {
    const unreadable = html({ problem: 'robots.txt blocks Sitelore.', outdated: true })
    expect(noticesIn(unreadable)).toBe(1)
    for (const text of ['Sitelore could not read this site', 'robots.txt blocks Sitelore.', 'The fields have changed.'])
      expect(unreadable).toContain(text)
    const failed = html({ failure: 'The connection ended early.', outdated: true })
    expect(noticesIn(failed)).toBe(1)
    for (const text of ['The connection ended early.', 'The fields have changed.']) expect(failed).toContain(text)
    expect(noticesIn(html({ outdated: true }))).toBe(1)
  })
})
