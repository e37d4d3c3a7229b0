import { escapeText } from 'entities/escape'

/** Converts headings, lists, code blocks and paragraphs of Markdown to an HTML page; inline markup becomes plain text. */
export function markdownToHtml(text: string): string {
  const html: string[] = []
  let title = ''
  let paragraph: string[] = []
  let code: string[] | null = null

  function endParagraph(): void {
    if (paragraph.length > 0) html.push(`<p>${paragraph.join('<br>')}</p>`)
    paragraph = []
  }

  for (const line of text.split(/\r?\n/)) {
    if (/^\s{0,3}(```|~~~)/.test(line)) {
      endParagraph()
      if (code) html.push(`<pre>${escapeText(code.join('\n'))}</pre>`)
      code = code ? null : []
      continue
    }
    if (code) {
      code.push(line)
      continue
    }
    const heading = /^#{1,6}(?=\s)/.exec(line)?.[0]
    const item = /^\s{0,12}([-*+]|\d{1,9}[.)])(?=\s)/.exec(line)?.[0]
    if (heading !== undefined) {
      endParagraph()
      const name = plainText(line.slice(heading.length))
      title ||= name
      html.push(`<h${heading.length}>${name}</h${heading.length}>`)
    } else if (item !== undefined) {
      endParagraph()
      html.push(`<ul><li>${plainText(line.slice(item.length))}</li></ul>`)
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(plainText(line))
  }
  endParagraph()
  if (code) html.push(`<pre>${escapeText(code.join('\n'))}</pre>`)
  return `<title>${title}</title><main>${html.join('')}</main>`
}

/** Escaped, without the markup of links, emphasis and quotations. */
function plainText(line: string): string {
  const plain = line.replace(/!?\[([^[\]]{0,500})\]\([^()]{0,2048}\)/g, '$1')
  return escapeText(plain.replaceAll('**', '').replaceAll('`', '').replace(/^\s*>/, '').trim())
}
