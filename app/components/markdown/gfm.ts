import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm as gfmSyntax } from 'micromark-extension-gfm'

/** The part of unified's processor that its readers of Markdown use. */
interface Processor {
  data(): object
}

/**
 * Reads GitHub's Markdown: tables, strikethrough, task lists, footnotes and bare links. The package remark-gfm does the
 * same and also writes Markdown, for which every reader of an answer would load 12 KB.
 */
export function gfm(this: Processor): void {
  const data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfmSyntax()]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}
