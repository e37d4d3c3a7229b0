import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { FragmentView } from '../../../contract/views/chat/fragment'
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
  it('turns citations into buttons with links to the passages', () => {
    const rendered = html('Turn the ring [1]. Then pull [1, 2].')
    expect(rendered.match(/<button[^>]*aria-label="Source 1"/g)).toHaveLength(2)
    expect(rendered.match(/<button[^>]*aria-label="Source 2"/g)).toHaveLength(1)
    expect(rendered).toContain('https://a.example/battery#change:~:text=Turn%20the')
  })

  it('turns linked citations into buttons, and keeps other links', () => {
    const rendered = html('Turn the ring [1](https://a.example/battery#change) [7](https://a.example/7).')
    expect(rendered.match(/<button[^>]*aria-label="Source 1"/g)).toHaveLength(1)
    expect(rendered).toContain('<a href="https://a.example/7"')
  })

  it('gives the linked citations of a shared thread the look of numbers, and other links none', () => {
    const rendered = html('The ring [1](https://a.example/battery). See [the page](https://a.example/7).', [])
    expect(rendered).toMatch(/<a href="https:\/\/a\.example\/battery"[^>]* class="[^"]*bg-accent-soft/)
    expect(rendered).toMatch(/<a href="https:\/\/a\.example\/7"(?![^>]*class)/)
  })

  it('keeps citations without a fragment, and those in code, as text', () => {
    const rendered = html('See [7] and `list[1]`.')
    expect(rendered).toContain('[7]')
    expect(rendered).toContain('list[1]')
    expect(rendered).not.toContain('aria-label')
  })

  it('renders neither images nor HTML', () => {
    const rendered = html(
      '![x](https://evil.example/a.png)\n\n<img src=x onerror=alert(1)>\n\n<span data-citation="1">1</span>',
    )
    expect(rendered).not.toMatch(/<img|onerror=|Source 1/)
  })

  it('links only to http and https', () => {
    expect(html('[a](https://b.example/)')).toContain('rel="noopener nofollow"')
    expect(html('[a](javascript:alert(1))')).not.toMatch(/javascript|href/)
    expect(html('[a](/logout)')).not.toContain('href="/logout"')
  })
})
