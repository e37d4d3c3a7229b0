import { expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const languageOf = (html: string) => {
  const [block] = extractPage(`<main>${html}</main>`, 'https://site.example/').blocks
  return block?.kind === 'code' ? block.language : 'no code'
}

it.each([
  ['<pre><code class="language-python">x</code></pre>', 'python'],
  ['<pre class="lang-rust">x</pre>', 'rust'],
  ['<pre class="brush: js; toolbar: false">x</pre>', 'js'],
  ['<pre data-lang="Go">x</pre>', 'go'],
  ['<pre><code data-language="c++">x</code></pre>', 'c++'],
  ['<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>', 'python3'],
  ['<div class="highlight highlight-source-shell"><pre>x</pre></div>', 'shell'],
  ['<pre class="sourceCode haskell"><code>x</code></pre>', 'haskell'],
  ['<div class="highlight-default notranslate"><div class="highlight"><pre>x</pre></div></div>', undefined],
  ['<pre class="code-block">x</pre>', undefined],
  ['<pre>x</pre>', undefined],
])('%s is in %s', (html, language) => {
  expect(languageOf(html)).toBe(language)
})
