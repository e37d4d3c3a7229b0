/**
 * Draws the Markdown of an answer as elements: paragraphs, lists, headings, tables, code, bold, italic and links. Nothing
 * of the text becomes HTML, and links lead to http and https only. A link whose text is a number is a citation.
 */
export function drawMarkdown(into: HTMLElement, markdown: string): void {
  const blocks: Node[] = []
  const lines = markdown.split('\n')
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? ''
    const fence = /^\s*```/.test(line)
    const item = /^\s*(?:[-*+]|\d+[.)])\s+/
    if (fence) {
      const end = lines.findIndex((text, n) => n > index && /^\s*```/.test(text))
      const code = lines.slice(index + 1, end < 0 ? lines.length : end).join('\n')
      blocks.push(element('pre', element('code', code)))
      index = end < 0 ? lines.length : end + 1
    } else if (item.test(line)) {
      const list = element(/^\s*\d/.test(line) ? 'ol' : 'ul')
      while (index < lines.length && item.test(lines[index] ?? '')) {
        list.append(element('li', ...inline((lines[index] ?? '').replace(item, ''))))
        index++
      }
      blocks.push(list)
    } else if (isRow(line) && divider.test(lines[index + 1] ?? '')) {
      const end = lines.findIndex((text, n) => n > index && !isRow(text))
      const [head = '', , ...rows] = lines.slice(index, end < 0 ? lines.length : end)
      blocks.push(tableOf(head, rows))
      index = end < 0 ? lines.length : end
    } else if (line.trim() === '') {
      index++
    } else {
      const heading = /^#{1,6}\s+/.exec(line)
      let end = index + 1
      while (!heading && end < lines.length && isText(lines[end] ?? '', item) && !isRow(lines[end] ?? '')) end++
      const text = lines.slice(index, end).join('\n')
      blocks.push(heading ? element('h3', ...inline(text.slice(heading[0].length))) : element('p', ...inline(text)))
      index = end
    }
  }
  into.replaceChildren(...blocks)
}

function isText(line: string, item: RegExp): boolean {
  return line.trim() !== '' && !item.test(line) && !/^(#{1,6}\s|\s*```)/.test(line)
}

const divider = /^\s*\|?\s*:?-+[\s:|-]*$/

/** Whether a line begins as a row of a table. */
function isRow(line: string): boolean {
  return /^\s*\|.*\|/.test(line)
}

function tableOf(head: string, rows: string[]): HTMLElement {
  const cells = (line: string, name: 'th' | 'td') => {
    const parts = line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
    return element('tr', ...parts.map((part) => element(name, ...inline(part.trim().replaceAll('\\|', '|')))))
  }
  const body = rows.map((row) => cells(row, 'td'))
  const box = element('div', element('table', element('thead', cells(head, 'th')), element('tbody', ...body)))
  box.className = 'table'
  box.tabIndex = 0
  return box
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((\S+?)\)|\[(\d{1,2})\]/g

function inline(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let from = 0
  for (const match of text.matchAll(marks)) {
    nodes.push(text.slice(from, match.index))
    from = match.index + match[0].length
    const [all, code, bold, italic, label, address, number] = match
    if (code !== undefined) nodes.push(element('code', code))
    else if (bold !== undefined) nodes.push(element('strong', ...inline(bold)))
    else if (italic !== undefined) nodes.push(element('em', ...inline(italic)))
    else if (number !== undefined) nodes.push(citation(element('span', number)))
    else if (label !== undefined && address !== undefined) nodes.push(link(label, address) ?? all)
  }
  nodes.push(text.slice(from))
  return nodes
}

function citation(node: HTMLElement): HTMLElement {
  node.className = 'cite'
  return node
}

/** A link to another page; null unless it leads to http or https. */
export function link(label: string, address: string): HTMLAnchorElement | null {
  if (!/^https?:\/\//i.test(address)) return null
  const anchor = element('a', label)
  anchor.href = address
  anchor.target = '_blank'
  anchor.rel = 'noopener nofollow'
  if (/^\d{1,2}$/.test(label)) citation(anchor)
  return anchor
}

/** Creates an element with its children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  created.append(...children)
  return created
}
