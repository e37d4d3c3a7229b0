/** The parts of an HTML syntax tree that are used here. */
export interface TreeNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: TreeNode[]
}

export function textOf(node: TreeNode): string {
  return node.value ?? node.children?.map(textOf).join('') ?? ''
}

export function walk(node: TreeNode, visit: (node: TreeNode) => void): void {
  visit(node)
  for (const child of node.children ?? []) walk(child, visit)
}
