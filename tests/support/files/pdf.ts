import { createHash } from 'node:crypto'

/** Text at a point of a page, in points from the lower left corner. Latin-1 only. */
export interface PdfText {
  text: string
  x: number
  y: number
  /** 10 by default. */
  size?: number
  isBold?: boolean
  /** Degrees, counterclockwise. */
  angle?: number
  /** Text rendering mode 3, as in scans with recognized text. */
  isInvisible?: boolean
}

export interface PdfOutlineEntry {
  title: string
  /** From 1. */
  level: number
}

export interface PdfParts {
  pages: { texts: PdfText[]; hasImage?: boolean }[]
  /** In document order; each is at most one level below the previous one. */
  outline?: PdfOutlineEntry[]
  /** Keys such as 'Title' and 'CreationDate'. */
  info?: Record<string, string>
  language?: string
  /** Encrypts the file (RC4, 40 bits). An empty user password opens it for everybody. */
  passwords?: { user: string; owner: string }
}

/** Builds a PDF with pages of 612 by 792 points, in Helvetica. */
export function makePdf(parts: PdfParts): Buffer {
  const objects: (string | { dictionary: string; stream: string })[] = []
  const add = (object: string | { dictionary: string; stream: string }) => objects.push(object)
  const [catalog, tree] = [add(''), add('')]
  const fonts = ['Helvetica', 'Helvetica-Bold'].map((name) =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  )
  const image = add({
    dictionary: '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    stream: '\0',
  })
  const resources = `/Font << /F0 ${fonts[0]} 0 R /F1 ${fonts[1]} 0 R >> /XObject << /I ${image} 0 R >>`
  const kids = parts.pages.map(({ texts, hasImage }) => {
    const drawn = hasImage ? 'q 612 0 0 792 0 0 cm /I Do Q\n' : ''
    const content = add({ dictionary: '', stream: drawn + texts.map(show).join('\n') })
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << ${resources} >> >>`,
    )
  })
  objects[tree - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
  const outlines = addOutline(parts.outline ?? [], objects)
  const language = parts.language ? ` /Lang (${parts.language})` : ''
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R${outlines}${language} >>`
  const entries = Object.entries(parts.info ?? {}).map(([key, value]) => `/${key} ${literal(value)}`)
  const info = add(`<< ${entries.join(' ')} >>`)
  return serialize(objects, `/Root ${catalog} 0 R /Info ${info} 0 R`, parts.passwords)
}

function show({ text, x, y, size = 10, isBold, angle = 0, isInvisible }: PdfText): string {
  const turn = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)].map((value) => value.toFixed(5))
  const matrix = `${cos} ${sin} ${(-Math.sin(turn)).toFixed(5)} ${cos} ${x} ${y} Tm`
  return `BT /F${isBold ? 1 : 0} ${size} Tf ${isInvisible ? 3 : 0} Tr ${matrix} ${literal(text)} Tj ET`
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`
}

function addOutline(entries: PdfOutlineEntry[], objects: unknown[]): string {
  if (entries.length === 0) return ''
  const root = objects.length + 1
  const numberOf = (index: number) => root + 1 + index
  const isChild = (parent: number) => (entry: PdfOutlineEntry, index: number) =>
    index > parent &&
    entry.level === (entries[parent]?.level ?? 0) + 1 &&
    !entries.slice(parent + 1, index).some((between) => between.level < entry.level)
  const children = (parent: number) => entries.flatMap((entry, index) => (isChild(parent)(entry, index) ? [index] : []))
  const links = (parent: number) => {
    const childIndexes = children(parent)
    const [first, last] = [childIndexes[0], childIndexes.at(-1)]
    if (first === undefined || last === undefined) return ''
    return ` /First ${numberOf(first)} 0 R /Last ${numberOf(last)} 0 R /Count ${childIndexes.length}`
  }
  objects.push(`<< /Type /Outlines${links(-1)} >>`)
  for (const [index, { title }] of entries.entries()) {
    const parent = [...entries.keys()].find((entry) => isChild(entry)(entries[index]!, index)) ?? -1
    const siblings = children(parent)
    const next = siblings[siblings.indexOf(index) + 1]
    const following = next === undefined ? '' : ` /Next ${numberOf(next)} 0 R`
    objects.push(`<< /Title ${literal(title)} /Parent ${numberOf(parent)} 0 R${following}${links(index)} >>`)
  }
  return ` /Outlines ${root} 0 R`
}

function serialize(
  objects: (string | { dictionary: string; stream: string })[],
  trailer: string,
  passwords: PdfParts['passwords'],
): Buffer {
  const encryption = passwords ? createEncryption(passwords.user, passwords.owner) : null
  const chunks = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = chunks[0]!.length
  const write = (text: string) => {
    const chunk = Buffer.from(text, 'latin1')
    chunks.push(chunk)
    length += chunk.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const encrypt = (text: string) => (encryption ? encryption.encrypt(text, index + 1) : text)
    // Brackets in literal strings are escaped.
    const dictionary = (text: string) =>
      encryption
        ? text.replace(/\(((?:[^\\()]|\\.)*)\)/g, (_, inner) => `<${hexOf(encrypt(inner.replace(/\\(.)/g, '$1')))}>`)
        : text
    if (typeof object === 'string') write(`${index + 1} 0 obj\n${dictionary(object)}\nendobj\n`)
    else {
      const stream = encrypt(object.stream)
      write(
        `${index + 1} 0 obj\n<< ${object.dictionary} /Length ${stream.length} >>\nstream\n${stream}\nendstream\nendobj\n`,
      )
    }
  }
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  write(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`)
  write(
    `trailer\n<< /Size ${objects.length + 1} ${trailer} ${encryption?.trailer ?? ''} >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return Buffer.concat(chunks)
}

function hexOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** The standard security handler, revision 2 (ISO 32000-1, 7.6.3). */
function createEncryption(user: string, owner: string) {
  const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const id = Buffer.alloc(16, 1)
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const ownerEntry = rc4(md5(padded(owner)).subarray(0, 5), padded(user))
  const key = md5(Buffer.concat([padded(user), ownerEntry, permissions, id])).subarray(0, 5)
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`
  return {
    encrypt(text: string, object: number): string {
      const salt = Buffer.from([object & 0xff, (object >> 8) & 0xff, (object >> 16) & 0xff, 0, 0])
      return rc4(md5(Buffer.concat([key, salt])).subarray(0, 10), Buffer.from(text, 'latin1')).toString('latin1')
    },
    trailer: `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${hex(ownerEntry)} /U ${hex(rc4(key, padding))} >>`,
  }
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, n) => n)
  const swap = (a: number, b: number) => {
    const swapped = state[a]!
    state[a] = state[b]!
    state[b] = swapped
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(bytes).map((byte) => {
    i = (i + 1) & 0xff
    j = (j + state[i]!) & 0xff
    swap(i, j)
    return byte ^ state[(state[i]! + state[j]!) & 0xff]!
  }) as Buffer
}
