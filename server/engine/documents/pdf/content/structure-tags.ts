import type {
  PDFPageProxy,
  StructTreeContent,
  StructTreeNode,
  TextMarkedContent,
} from 'pdfjs-dist/types/src/display/api'

/** Roles that say what a text is; those inside of them (spans, links) say nothing. */
const telling = /^(?:H[1-6]?|Title)$/
const deepest = 100

/** Tells the role of marked content by the tags of the file: a heading, or ''. */
export async function roles(page: PDFPageProxy): Promise<(item: TextMarkedContent) => string> {
  const byId = new Map<string, string>()
  try {
    const tree = await page.getStructTree()
    if (tree) collect(tree, '', 0, byId)
  } catch {
    // A damaged tree tells nothing.
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
  if (depth > deepest) return
  const own = telling.test(node.role) ? node.role : role
  for (const child of node.children) collect(child, own, depth + 1, into)
}
