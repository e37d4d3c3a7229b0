import { z } from 'zod'

/** Types of files that are read, each with its one extension, by which people name them. */
export const fileTypes = ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const
export type FileType = (typeof fileTypes)[number]

/** The contract's 67,108,864 bytes. */
export const largestFile = 64 * 1024 * 1024

export const fileTypeSchema = z.enum(fileTypes)

/** By the last extension of the name; null for a type that is not read. */
export function fileTypeOf(name: string): FileType | null {
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase()
  return fileTypes.find((type) => type === extension) ?? null
}
