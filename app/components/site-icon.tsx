import { isWeb } from '../../contract/texts/pages/place-in-file'
import { parseUrl } from '../../contract/values/url'

interface SiteIconProps {
  /** Path under which the icons are. */
  icons: string
  /** An address of the site. */
  url: string
}

/** The icon of a site beside its name or address; nothing for a file. */
export function SiteIcon({ icons, url }: SiteIconProps) {
  const host = isWeb(url) ? parseUrl(url)?.host : undefined
  return host ? <IconImage src={`${icons}/${host}`} /> : null
}

export function IconImage({ src, large = false }: { src: string; large?: boolean }) {
  const side = large ? 24 : 18
  return (
    <img src={src} alt="" width={side} height={side} loading="lazy" className="inline-block shrink-0 rounded-[5px]" />
  )
}
