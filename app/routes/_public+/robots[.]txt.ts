import type { LoaderFunctionArgs } from '@remix-run/node'
import { robotsTxt } from '../../http/crawlers/public-pages.server'

export function loader({ context }: LoaderFunctionArgs) {
  return new Response(robotsTxt(context.settings.publicUrl), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
