import type { Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { harden } from 'rehype-harden'
import { markCitations } from './citations'

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]
const hardenLinks = harden({ allowedLinkPrefixes: ['*'], allowedImagePrefixes: [] })

/**
 * Reads GitHub's Markdown as a tree of HTML elements. The text comes from a model and is not trusted: the tree has no HTML
 * of its own and no images.
 * @param citationCount how many sources the answer has; higher numbers remain text
 */
export function answerTree(markdown: string, citationCount: number): Root {
  const parsed = fromMarkdown(markdown, { extensions, mdastExtensions })
  // The sanitizer returns the type of node that it gets.
  const tree = sanitize(toHast(parsed)) as Root
  hardenLinks(tree)
  markCitations(tree, citationCount)
  return tree
}
