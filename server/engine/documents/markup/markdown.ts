import { stat } from 'node:fs/promises'
import { Marked } from 'marked'
import { catchUnreadable } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { readDecoded } from '../text/decoding'
import { readText } from '../text/text'
import { partsOfPage } from './html'

/** Bytes of a file that is parsed; a longer one is read as text, with its headings. */
const maxParsedBytes = 4 * 1024 * 1024
/** Front matter: lines of YAML before the text, as generators of sites read it. */
const frontMatter = /^---[ \t]*\r?\n([\s\S]{0,10000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const markdown = new Marked({ gfm: true })

/** Reads Markdown with its headings, lists, tables and code. The title is that of its front matter, else its first heading. */
export const readMarkdown: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  if ((await stat(path)).size > maxParsedBytes) return yield* readText(path)
  let source = ''
  for await (const { text } of readDecoded(path)) source += text
  const [matter = '', fields = ''] = frontMatter.exec(source) ?? []
  const [, title = ''] = /^title:[ \t]*["']?(.*?)["']?[ \t]*$/m.exec(fields) ?? []
  const html = await markdown.parse(source.slice(matter.length))
  yield* partsOfPage(`<body><main>${html}</main></body>`, title)
}
