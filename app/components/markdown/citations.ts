import { type TreeNode, textOf } from './nodes'

const citationPattern = /\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]/g

/**
 * Turns the citations `[1](address)` and `[1]` of an answer into `<span data-citation="1">`, for numbers up to `count`.
 * Runs after the sanitizer, so that only this function can create such elements. Skips code and other links.
 */
export function markCitations(node: TreeNode, count: number): void {
  if (!node.children || ['code', 'pre', 'a'].includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', count)
    const number = child.tagName === 'a' ? numberOf(textOf(child), count) : null
    if (number !== null) return citation(number)
    markCitations(child, count)
    return child
  })
}

function split(text: string, count: number): TreeNode[] {
  const nodes: TreeNode[] = []
  let from = 0
  for (const match of text.matchAll(citationPattern)) {
    const numbers = (match[1] ?? '').split(',').map(Number)
    if (!numbers.every((number) => number >= 1 && number <= count)) continue
    if (match.index > from) nodes.push({ type: 'text', value: text.slice(from, match.index) })
    nodes.push(...numbers.map(citation))
    from = match.index + match[0].length
  }
  if (from < text.length) nodes.push({ type: 'text', value: text.slice(from) })
  return nodes
}

function numberOf(text: string, count: number): number | null {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= count ? number : null
}

function citation(number: number): TreeNode {
  return {
    type: 'element',
    tagName: 'span',
    properties: { dataCitation: String(number) },
    children: [{ type: 'text', value: String(number) }],
  }
}
