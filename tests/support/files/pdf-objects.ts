/** An object as written in the file, or a stream with its dictionary, without brackets and length. */
export type RawObject = string | { dictionary: string; stream: Buffer | string }

/** Builds a PDF of objects, numbered from 1; the first is the catalog. */
export function pdfOfObjects(objects: RawObject[]): Buffer {
  const chunks = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  const length = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  for (const [index, object] of objects.entries()) {
    offsets.push(length())
    const stream = typeof object === 'string' ? null : Buffer.from(object.stream)
    const head = typeof object === 'string' ? object : `<< ${object.dictionary} /Length ${stream?.length} >>\nstream\n`
    chunks.push(Buffer.from(`${index + 1} 0 obj\n${head}`), stream ?? Buffer.alloc(0))
    chunks.push(Buffer.from(`${stream ? '\nendstream' : ''}\nendobj\n`))
  }
  const start = length()
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([...chunks, Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${end}`)])
}

/**
 * Builds a PDF with one page of 612 by 792 points and this content. /F is Helvetica, /G is object 6; `objects` are
 * numbered from 6.
 */
export function pdfOfContent(content: string, objects: RawObject[] = [], catalog = '', resources = ''): Buffer {
  const fonts = `/Font << /F 5 0 R ${objects.length > 0 ? '/G 6 0 R' : ''} >>`
  return pdfOfObjects([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${fonts} ${resources} >> >>`,
    { dictionary: '', stream: content },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
  ])
}
