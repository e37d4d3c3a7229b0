/** A part of a form: headers and content. */
export interface Part {
  name?: string
  filename?: string
  type?: string
  content: string | Uint8Array
  /** Replaces the headers made from name, filename and type. */
  headers?: string
}

export const partBoundary = 'boundary-of-the-test'
export const multipartType = `multipart/form-data; boundary=${partBoundary}`

/** Builds a multipart form byte by byte, so that tests can make it invalid. */
export function multipart(parts: Part[]): Buffer<ArrayBuffer> {
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${partBoundary}\r\n${headersOf(part)}\r\n\r\n`),
    Buffer.from(part.content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${partBoundary}--\r\n`)])
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
