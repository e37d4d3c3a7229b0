import { escapeText } from 'entities/escape'

/** A Markdown text as an HTML page: its headings, lists, code and paragraphs; what stands in lines is kept as text. */
export function htmlOfMarkdown(text: string): string {
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
      const name = wordsOf(line.slice(heading.length))
      title ||= name
      html.push(`<h${heading.length}>${name}</h${heading.length}>`)
    } else if (item !== undefined) {
      endParagraph()
      html.push(`<ul><li>${wordsOf(line.slice(item.length))}</li></ul>`)
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(wordsOf(line))
  }
  endParagraph()
  if (code) html.push(`<pre>${escapeText(code.join('\n'))}</pre>`)
  return `<title>${title}</title><main>${html.join('')}</main>`
}

/** Without the signs of links, of emphasis and of quotations. */
function wordsOf(line: string): string {
  const plain = line.replace(/!?\[([^[\]]{0,500})\]\([^()]{0,2048}\)/g, '$1')
  return escapeText(plain.replaceAll('**', '').replaceAll('`', '').replace(/^\s*>/, '').trim())
}
