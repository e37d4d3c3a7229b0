/** An object as it stands in a file, or one with a stream: its dictionary without brackets and length, and its bytes. */
export type RawObject = string | { dictionary: string; stream: Buffer | string }

/** Writes a PDF of these objects, with the numbers from 1 on; the first is the catalog. */
export function pdfOfObjects(objects: RawObject[]): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  const length = () => pieces.reduce((sum, piece) => sum + piece.length, 0)
  for (const [index, object] of objects.entries()) {
    places.push(length())
    const stream = typeof object === 'string' ? null : Buffer.from(object.stream)
    const head = typeof object === 'string' ? object : `<< ${object.dictionary} /Length ${stream?.length} >>\nstream\n`
    pieces.push(Buffer.from(`${index + 1} 0 obj\n${head}`), stream ?? Buffer.alloc(0))
    pieces.push(Buffer.from(`${stream ? '\nendstream' : ''}\nendobj\n`))
  }
  const start = length()
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${end}`)])
}

/**
 * Writes a PDF of one page of 612 by 792 points with this content, in which /F is Helvetica and /G the font that is object
 * 6; the objects that are given have the numbers from 6 on.
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
