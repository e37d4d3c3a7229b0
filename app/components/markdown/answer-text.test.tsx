import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { FragmentView } from '../../../contract/views/fragment'
import { AnswerText } from './answer-text'

const fragment: FragmentView = {
  id: 'f1',
  score: 0.5,
  url: 'https://a.example/battery',
  link: 'https://a.example/battery#change',
  title: 'Battery',
  headings: [],
  content: 'Turn the base ring to the left.',
}

function html(markdown: string, fragments = [fragment, fragment]): string {
  return renderToStaticMarkup(<AnswerText markdown={markdown} fragments={fragments} />)
}

describe('AnswerText', () => {
  it('links its numbers to the passages', () => {
    const shown = html('Turn the ring [1]. Then pull [1, 2].')
    expect(shown.match(/<button[^>]*aria-label="Source 1"/g)).toHaveLength(2)
    expect(shown.match(/<button[^>]*aria-label="Source 2"/g)).toHaveLength(1)
    expect(shown).toContain('https://a.example/battery#change:~:text=Turn%20the')
  })

  it('leaves numbers without a source, and those in code, as they are', () => {
    const shown = html('See [7] and `list[1]`.')
    expect(shown).toContain('[7]')
    expect(shown).toContain('list[1]')
    expect(shown).not.toContain('aria-label')
  })

  it('shows no image and runs no HTML', () => {
    const shown = html(
      '![x](https://evil.example/a.png)\n\n<img src=x onerror=alert(1)>\n\n<span data-citation="1">1</span>',
    )
    expect(shown).not.toMatch(/<img|onerror=|Source 1/)
  })

  it('links to the web alone', () => {
    expect(html('[a](https://b.example/)')).toContain('rel="noopener nofollow"')
    expect(html('[a](javascript:alert(1))')).not.toMatch(/javascript|href/)
    expect(html('[a](/logout)')).not.toContain('href="/logout"')
  })
})
