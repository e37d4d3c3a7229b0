import { readWholeXml, readXml } from '../../containers/xml-reader'
import { openZip, type ZipArchive } from '../../containers/zip-archive'
import { RefusedFile, refusing } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { createWordNotes } from '../notes'
import { noNumbering } from '../numbering'
import { createDocxBody } from './body'
import { readDocxFacts } from './document-info'
import { readDocxNumbering } from './numbering'
import { findDocxParts } from './parts'
import { noDocxStyles, readDocxStyles } from './styles'

/** Bytes of the text between two parts that tell how far it is. */
const tellAfter = 1024 * 1024

/** Reads a Word file (.docx) while it is unpacked. Its pages are not known before it is printed, so blocks name no place. */
export const readDocx: FileFormat = (path) => refusing(readParts(path))

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
  const styles = await orWithout(parts.styles, (part) => readDocxStyles(zip, part), noDocxStyles)
  const numbering = await orWithout(parts.numbering, (part) => readDocxNumbering(zip, part, styles), noNumbering)
  const facts = await readDocxFacts(zip, parts, styles.language)

  const context = { styles, numbering, notes: createWordNotes() }
  for (const part of [parts.footnotes, parts.endnotes]) {
    await orWithout(part, (name) => readWholeXml(zip.read(name), createDocxBody(context).handler), undefined)
  }
  const body = createDocxBody(context)
  const total = zip.sizeOf(parts.document)
  let told = 0
  let areFactsTold = false

  function* tellFacts(): Generator<FilePart> {
    if (areFactsTold) return
    areFactsTold = true
    yield { kind: 'facts', facts: { ...facts, title: facts.title || body.title() } }
  }

  for await (const done of readXml(zip.read(parts.document), body.handler)) {
    const blocks = body.take()
    if (blocks.length > 0) {
      yield* tellFacts()
      yield { kind: 'blocks', blocks }
    }
    if (done - told >= tellAfter) {
      yield* tellFacts()
      told = done
      yield { kind: 'progress', done, total }
    }
  }
  const blocks = body.takeAll()
  yield* tellFacts()
  if (blocks.length > 0) yield { kind: 'blocks', blocks }
}

/** What stands beside the text may be damaged, as long as the text is not. */
async function orWithout<Value>(
  part: string | null,
  read: (part: string) => Promise<Value>,
  without: Value,
): Promise<Value> {
  if (part === null) return without
  try {
    return await read(part)
  } catch (error) {
    if (error instanceof RefusedFile && error.reason === 'file-broken') return without
    throw error
  }
}
