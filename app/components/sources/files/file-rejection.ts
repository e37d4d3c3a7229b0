import { fileTexts, fileTypeOf, maxFileBytes } from '../../../../contract/sources/file'

/**
 * Why a file is rejected before it is uploaded, or null. The sentence names the file, because the field may list several.
 */
export function rejectionOf({ name, size }: Pick<File, 'name' | 'size'>) {
  const shortName = name.slice(0, 80)
  if (size > maxFileBytes) return rejection(fileTexts.tooLarge, fileTexts.trySmaller)
  return fileTypeOf(name) === null ? rejection(fileTexts.unsupported, fileTexts.types) : null

  function rejection(title: string, message: string) {
    return { title, message, sentence: `${shortName}: ${title}. ${message}` }
  }
}
