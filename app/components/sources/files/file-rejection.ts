import { fileTexts, fileTypeOf, maxFileBytes } from '../../../../contract/sources/file'

/**
 * Why a file is rejected before it is uploaded, or null. The sentence names the file, because the field may list several.
 */
export function rejectionOf({ name, size }: Pick<File, 'name' | 'size'>) {
  const shortName = name.slice(0, 80)
  if (size > maxFileBytes) {
    const [title, message] = [fileTexts.tooLarge, fileTexts.trySmaller]
    return { title, message, sentence: `${shortName}: ${title}. ${message}` }
  }
  if (fileTypeOf(name) !== null) return null
  const [title, message] = [`Files like ${shortName} are not read`, fileTexts.types]
  return { title, message, sentence: `${title}. ${message}` }
}
