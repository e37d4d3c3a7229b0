import { describe, expect, it } from 'vitest'
import { markdownToHtml } from './markdown'

describe('markdownToHtml', () => {
  it('keeps headings, lists, code and paragraphs', () => {
    const text =
      '# Lamps & more\n\nA **storm** lamp, see [prices](/p "now")\nand `wick`.\n\n## Parts\n- wick\n1. oil\n\n```sh\nrun <it>\n\n```\n> Said once.'
    expect(markdownToHtml(text)).toBe(
      '<title>Lamps &amp; more</title><main><h1>Lamps &amp; more</h1><p>A storm lamp, see prices<br>and wick.</p><h2>Parts</h2><ul><li>wick</li></ul><ul><li>oil</li></ul><pre>run &lt;it&gt;\n</pre><p>Said once.</p></main>',
    )
  })

  it('escapes HTML and reads unclosed code to the end', () => {
    expect(markdownToHtml('<script>x</script>\n~~~\na')).toBe(
      '<title></title><main><p>&lt;script&gt;x&lt;/script&gt;</p><pre>a</pre></main>',
    )
  })

  it.each(['[', '![a](', '# ', '- ', '`', '[](', ' '])('takes linear time for a million %j', (sign) => {
    // Quadratic time would take hours.
    expect(markdownToHtml(sign.repeat(1_000_000))).toContain('<main>')
  })
})
