import { isWeb, placeInFile } from '../../../contract/texts/pages/place-in-file'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { paths } from '../../paths'
import { shortAddress } from '../ui/format'

/** A short address for people, with the place in a file: 'lamps.pdf, page 12'. */
export function placeOf({ url, link }: { url: string; link: string }): string {
  return [isWeb(url) ? shortAddress(url) : url, placeInFile(link)].filter(Boolean).join(', ')
}

/** The dashboard's page with a file's fragments; null for web pages, and without the ids that the path needs. */
export function dashboardPath({ url, address_id, collection_id }: FragmentView): string | null {
  return isWeb(url) || !address_id || !collection_id ? null : paths.addressFragments(collection_id, address_id)
}
