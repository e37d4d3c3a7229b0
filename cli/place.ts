import { isWeb, placeInFile } from '../contract/texts/place-in-file'
import type { FragmentView } from '../contract/views/fragment'

/** The place of a fragment: 'prices.pdf, page 5' in a file, else the address of the passage. */
export function placeOf({ url, link }: Pick<FragmentView, 'url' | 'link'>): string {
  return isWeb(url) ? link : [url, placeInFile(link)].filter(Boolean).join(', ')
}
