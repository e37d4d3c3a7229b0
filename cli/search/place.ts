import { isWeb, placeInFile } from '../../contract/texts/pages/place-in-file'
import type { FragmentView } from '../../contract/views/chat/fragment'

const textDirective = /#?:~:text=.*$/

/** The place of a fragment: 'prices.pdf, page 5' in a file, else the address with the nearest anchor. */
export function placeOf({ url, link }: Pick<FragmentView, 'url' | 'link'>): string {
  return isWeb(url) ? link.replace(textDirective, '') : [url, placeInFile(link)].filter(Boolean).join(', ')
}
