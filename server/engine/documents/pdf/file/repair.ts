/**
 * Forms of a file whose end is lost or damaged in which it may be opened: with an end that names its catalog, and with a
 * catalog and a tree of its own for the pages that are there. None for an encrypted file, whose key is lost with its end.
 */
export function* repairs(data: Buffer): Generator<Buffer> {
  if (data.includes('/Encrypt')) return
  const [catalog] = objectsOf('Catalog', data).slice(-1)
  if (catalog !== undefined) yield Buffer.concat([data, end(`${catalog} 0 R`)])
  const pages = objectsOf('Page', data)
  if (pages.length === 0) return
  const kids = pages.map((page) => `${page} 0 R`).join(' ')
  const tree = `\nendstream endobj\n${own} 0 obj << /Type /Catalog /Pages ${own + 1} 0 R >> endobj
${own + 1} 0 obj << /Type /Pages /Count ${pages.length} /Kids [${kids}] >> endobj`
  yield Buffer.concat([data, Buffer.from(tree), end(`${own} 0 R`)])
}

/** A number of an object that no file of the size we read has. */
const own = 8_000_000
const mostPages = 10_000

/** Numbers of the objects of a type, each once, in the order of the file. */
function objectsOf(type: string, data: Buffer): number[] {
  const found = new Set<number>()
  const key = '/Type'
  const shape = new RegExp(`^/Type\\s*/${type}(?![A-Za-z])`)
  for (let at = data.indexOf(key); at >= 0 && found.size < mostPages; at = data.indexOf(key, at + key.length)) {
    if (!shape.test(data.toString('latin1', at, at + 40))) continue
    const start = data.subarray(Math.max(0, at - farthest), at).toString('latin1')
    const object = start.slice(0, Math.max(0, start.lastIndexOf('obj')))
    const number = /(\d{1,7})\s+\d{1,5}\s*$/.exec(object.slice(-30))?.[1]
    if (number !== undefined) found.add(Number(number))
  }
  return [...found]
}

/** Bytes; a type stands near the start of its object. */
const farthest = 2_000

function end(root: string): Buffer {
  return Buffer.from(`\ntrailer\n<< /Root ${root} /Size ${own + 2} >>\nstartxref\n0\n%%EOF\n`)
}
