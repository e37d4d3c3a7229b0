import { readXml, streamXml } from '../../containers/xml-reader'
import { openZip, type ZipArchive } from '../../containers/zip-archive'
import { catchUnreadable, UnreadableFile } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { createWordNotes } from '../notes'
import { noNumbering } from '../numbering'
import { createDocxBody } from './body'
import { readDocxFacts } from './document-info'
import { readDocxNumbering } from './numbering'
import { findDocxParts } from './parts'
import { noDocxStyles, readDocxStyles } from './styles'

/** Bytes of the text after which progress is reported. */
const progressBytes = 1024 * 1024

/** Reads a Word file (.docx) while it is decompressed. Pages are only known after layout, so blocks have no anchors. */
export const readDocx: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  const zip = await openZip(path)
  try {
    yield* readDocument(zip)
  } finally {
    zip.close()
  }
}

async function* readDocument(zip: ZipArchive): AsyncGenerator<FilePart> {
  const parts = await findDocxParts(zip)
  const styles = await readOptional(parts.styles, (part) => readDocxStyles(zip, part), noDocxStyles)
  const numbering = await readOptional(parts.numbering, (part) => readDocxNumbering(zip, part, styles), noNumbering)
  const facts = await readDocxFacts(zip, parts, styles.language)

  const context = { styles, numbering, notes: createWordNotes() }
  for (const part of [parts.footnotes, parts.endnotes]) {
    await readOptional(part, (name) => readXml(zip.read(name), createDocxBody(context).handler), undefined)
  }
  const body = createDocxBody(context)
  const total = zip.sizeOf(parts.document)
  let reported = 0
  let hasYieldedFacts = false

  function* yieldFacts(): Generator<FilePart> {
    if (hasYieldedFacts) return
    hasYieldedFacts = true
    yield { kind: 'facts', facts: { ...facts, title: facts.title || body.title() } }
  }

  for await (const done of streamXml(zip.read(parts.document), body.handler)) {
    const blocks = body.drain()
    if (blocks.length > 0) {
      yield* yieldFacts()
      yield { kind: 'blocks', blocks }
    }
    if (done - reported >= progressBytes) {
      yield* yieldFacts()
      reported = done
      yield { kind: 'progress', done, total }
    }
  }
  const blocks = body.flush()
  yield* yieldFacts()
  if (blocks.length > 0) yield { kind: 'blocks', blocks }
}

/** Reads a secondary part, or returns `fallback` if it is missing or damaged. */
async function readOptional<Value>(
  part: string | null,
  read: (part: string) => Promise<Value>,
  fallback: Value,
): Promise<Value> {
  if (part === null) return fallback
  try {
    return await read(part)
  } catch (error) {
    if (error instanceof UnreadableFile && error.reason === 'file-broken') return fallback
    throw error
  }
}
