/** Supported file types, each with its only extension. */
export const fileTypes = ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv', 'md', 'html', 'pptx'] as const
export type FileType = (typeof fileTypes)[number]

/** 67,108,864 bytes, as in the contract. */
export const maxFileBytes = 64 * 1024 * 1024

const megabytes = maxFileBytes / 1024 / 1024

/** Texts for a file that is too large or of another type, and the hint next to the file field. */
export const fileTexts = {
  hint: `Max file size ${megabytes} MB.`,
  tooLarge: "Cannot upload file, it's too big",
  trySmaller: `Try uploading a file that is smaller than ${megabytes} MB!`,
  unsupported: 'This file type is not supported',
  types: `Use ${fileTypes.slice(0, -1).map(ending).join(', ')} or ${fileTypes.slice(-1).map(ending).join('')}.`,
} as const

function ending(type: FileType): string {
  return `.${type}`
}

/** Returns the type by the last extension of a name; null for an unsupported type. */
export function fileTypeOf(name: string): FileType | null {
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase()
  return fileTypes.find((type) => type === extension) ?? null
}

/** Characters of a file name. */
export const maxFileNameLength = 255

/**
 * Control characters, zero-width characters, and bidirectional controls, with which a name can hide its real extension.
 * Joiners are allowed: emoji and some scripts need them.
 */
const invisible = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** Normalizes a file name for storage and display: removes folders and invisible characters; '' if nothing remains. */
export function fileNameOf(original: string): string {
  const last = original.split(/[/\\]/).at(-1) ?? ''
  const name = last.replace(invisible, '').toWellFormed().normalize('NFC').trim()
  return /^\.*$/.test(name) ? '' : name
}

/** Types of content a search can be restricted to: web pages, or files of one type. */
export const searchTypes = ['page', ...fileTypes] as const
