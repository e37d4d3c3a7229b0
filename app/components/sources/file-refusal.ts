import { fileTexts, fileTypeOf, largestFile } from '../../../contract/file'

/**
 * Why a file is not taken, before a byte of it is sent; null where it is. The sentence stands beside the field, where
 * several files may have been chosen.
 */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>) {
  const called = name.slice(0, 80)
  if (size > largestFile) {
    const [title, message] = [fileTexts.tooLarge, fileTexts.trySmaller]
    return { title, message, sentence: `${called}: ${title}. ${message}` }
  }
  if (fileTypeOf(name) !== null) return null
  const [title, message] = [`Files like ${called} are not read`, fileTexts.types]
  return { title, message, sentence: `${title}. ${message}` }
}
