/**
 * Yields repaired versions of a file whose end is lost or damaged: with a trailer for its catalog, then with a new
 * catalog and page tree for the pages that are found. None for an encrypted file, whose key is lost with its end.
 */
export function* repairs(data: Buffer): Generator<Buffer> {
  if (data.includes('/Encrypt')) return
  const [catalog] = objectsOf('Catalog', data).slice(-1)
  if (catalog !== undefined) yield Buffer.concat([data, end(`${catalog} 0 R`)])
  const pages = objectsOf('Page', data)
  if (pages.length === 0) return
  const kids = pages.map((page) => `${page} 0 R`).join(' ')
  const tree = `\nendstream endobj\n${firstNewNumber} 0 obj << /Type /Catalog /Pages ${firstNewNumber + 1} 0 R >> endobj
${firstNewNumber + 1} 0 obj << /Type /Pages /Count ${pages.length} /Kids [${kids}] >> endobj`
  yield Buffer.concat([data, Buffer.from(tree), end(`${firstNewNumber} 0 R`)])
}

/** An object number beyond those of any file of the sizes we read. */
const firstNewNumber = 8_000_000
const maxPages = 10_000

/** Returns the distinct numbers of all objects of a type, in the order of the file. */
function objectsOf(type: string, data: Buffer): number[] {
  const found = new Set<number>()
  const key = '/Type'
  const typePattern = new RegExp(`^/Type\\s*/${type}(?![A-Za-z])`)
  for (
    let index = data.indexOf(key);
    index >= 0 && found.size < maxPages;
    index = data.indexOf(key, index + key.length)
  ) {
    if (!typePattern.test(data.toString('latin1', index, index + 40))) continue
    const start = data.subarray(Math.max(0, index - maxDistance), index).toString('latin1')
    const object = start.slice(0, Math.max(0, start.lastIndexOf('obj')))
    const number = /(\d{1,7})\s+\d{1,5}\s*$/.exec(object.slice(-30))?.[1]
    if (number !== undefined) found.add(Number(number))
  }
  return [...found]
}

/** Bytes before /Type in which the start of its object is searched. */
const maxDistance = 2_000

function end(root: string): Buffer {
  return Buffer.from(`\ntrailer\n<< /Root ${root} /Size ${firstNewNumber + 2} >>\nstartxref\n0\n%%EOF\n`)
}
