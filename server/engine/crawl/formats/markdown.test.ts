import { describe, expect, it } from 'vitest'
import { htmlOfMarkdown } from './markdown'

describe('htmlOfMarkdown', () => {
  it('keeps headings, lists, code and paragraphs', () => {
    const text =
      '# Lamps & more\n\nA **storm** lamp, see [prices](/p "now")\nand `wick`.\n\n## Parts\n- wick\n1. oil\n\n```sh\nrun <it>\n\n```\n> Said once.'
    expect(htmlOfMarkdown(text)).toBe(
      '<title>Lamps &amp; more</title><main><h1>Lamps &amp; more</h1><p>A storm lamp, see prices<br>and wick.</p><h2>Parts</h2><ul><li>wick</li></ul><ul><li>oil</li></ul><pre>run &lt;it&gt;\n</pre><p>Said once.</p></main>',
    )
  })

  it('takes markup for text, and code without an end to the end', () => {
    expect(htmlOfMarkdown('<script>x</script>\n~~~\na')).toBe(
      '<title></title><main><p>&lt;script&gt;x&lt;/script&gt;</p><pre>a</pre></main>',
    )
  })

  it.each(['[', '![a](', '# ', '- ', '`', '[](', ' '])('comes to an end for a million %j', (sign) => {
    // In more than linear time it would take hours.
    expect(htmlOfMarkdown(sign.repeat(1_000_000))).toContain('<main>')
  })
})
