import type { LoaderFunctionArgs } from '@remix-run/node'
import { sitemapXml } from '../../http/crawlers/public-pages.server'

export function loader({ context }: LoaderFunctionArgs) {
  return new Response(sitemapXml(context), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
