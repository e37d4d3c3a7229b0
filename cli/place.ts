import { isWeb, placeInFile } from '../contract/place-in-file'
import type { FragmentView } from '../contract/views/fragment'

/** Where a fragment stands: 'prices.pdf, page 5' in a file, the address of the passage on a page. */
export function placeOf({ url, link }: Pick<FragmentView, 'url' | 'link'>): string {
  return isWeb(url) ? link : [url, placeInFile(link)].filter(Boolean).join(', ')
}
