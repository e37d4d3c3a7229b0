import type {
  PDFPageProxy,
  StructTreeContent,
  StructTreeNode,
  TextMarkedContent,
} from 'pdfjs-dist/types/src/display/api'

/** Roles that classify a text; roles nested inside them (Span, Link) do not. */
const headingRoles = /^(?:H[1-6]?|Title)$/
const maxDepth = 100

/** Returns a function from marked content to its role by the structure tags: a heading, or ''. */
export async function readRoles(page: PDFPageProxy): Promise<(item: TextMarkedContent) => string> {
  const byId = new Map<string, string>()
  try {
    const tree = await page.getStructTree()
    if (tree) collect(tree, '', 0, byId)
  } catch {
    // A damaged tree yields no roles.
  }
  return (item) => byId.get(item.id) ?? ''
}

function collect(
  node: StructTreeNode | StructTreeContent,
  role: string,
  depth: number,
  into: Map<string, string>,
): void {
  if ('id' in node) {
    if (role) into.set(node.id, role)
    return
  }
  if (depth > maxDepth) return
  const own = headingRoles.test(node.role) ? node.role : role
  for (const child of node.children) collect(child, own, depth + 1, into)
}
