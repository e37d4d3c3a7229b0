/** A part of a form, as its headers and its content. */
export interface Part {
  name?: string
  filename?: string
  type?: string
  content: string | Uint8Array
  /** In place of what name, filename and type say. */
  headers?: string
}

export const partBoundary = 'boundary-of-the-test'
export const multipartType = `multipart/form-data; boundary=${partBoundary}`

/** A form in parts, byte by byte, so that it can be as wrong as a test wants it. */
export function multipart(parts: Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${partBoundary}\r\n${headersOf(part)}\r\n\r\n`),
    Buffer.from(part.content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${partBoundary}--\r\n`)])
}

export const fileSource = (filename: string, content: string | Uint8Array): Part[] => [
  { name: 'type', content: 'file' },
  { name: 'file', filename, content },
]

function headersOf({ name, filename, type, headers }: Part): string {
  if (headers !== undefined) return headers
  const disposition = ['form-data', ...quoted('name', name), ...quoted('filename', filename)].join('; ')
  const kind = type ?? (filename === undefined ? null : 'application/octet-stream')
  return `content-disposition: ${disposition}${kind === null ? '' : `\r\ncontent-type: ${kind}`}`
}

function quoted(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}="${value.replaceAll('"', '%22')}"`]
}
