/** Types of files that are read, each with its one extension, by which people name them. */
export const fileTypes = ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const
export type FileType = (typeof fileTypes)[number]

/** The contract's 67,108,864 bytes. */
export const maxFileBytes = 64 * 1024 * 1024

const megabytes = maxFileBytes / 1024 / 1024

/** The contract's texts of a file that is too large, and the hint beside its field. */
export const fileTexts = {
  hint: `Max file size ${megabytes} MB.`,
  tooLarge: "Cannot upload file, it's too big",
  trySmaller: `Try uploading a file that is smaller than ${megabytes} MB!`,
  types: `Use ${fileTypes.slice(0, -1).map(ending).join(', ')} or ${fileTypes.slice(-1).map(ending).join('')}.`,
} as const

function ending(type: FileType): string {
  return `.${type}`
}

/** By the last extension of the name; null for a type that is not read. */
export function fileTypeOf(name: string): FileType | null {
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase()
  return fileTypes.find((type) => type === extension) ?? null
}

/** Characters of a file's name at most. */
export const maxFileNameLength = 255

/**
 * Controls, what has no width, and the marks that turn the direction of a text, by which a name shows another ending than
 * it has. The two joiners stay: emoji and some scripts are written with them.
 */
const unseen = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** A file's name as it is kept and shown: without folders and without what nobody sees; '' where nothing is left. */
export function fileNameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const name = last.replace(unseen, '').toWellFormed().normalize('NFC').trim()
  return /^\.*$/.test(name) ? '' : name
}
