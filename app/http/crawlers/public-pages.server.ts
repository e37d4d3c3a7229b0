import type { AppLoadContext } from '@remix-run/node'
import { paths } from '../../paths'

/**
 * What crawlers may request: the public pages and what they load, the widget of other sites, and shared threads, whose
 * `noindex` they have to see. The longest path that matches decides.
 */
const allowed = ['/$', '/terms', '/help', '/thread/', '/assets/', '/favicon.svg', '/widget', '/sitemap.xml']

export function robotsTxt(publicUrl: string): string {
  const rules = [...allowed.map((path) => `Allow: ${path}`), 'Disallow: /']
  return `User-agent: *\n${rules.join('\n')}\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** The landing page, the terms, the manual and the reference of the API. */
export function sitemapXml({ services, settings }: Pick<AppLoadContext, 'services' | 'settings'>): string {
  const manual = services.manual.list().map(({ name }) => paths.help(name))
  const entries = [paths.landing(), paths.terms(), ...manual, paths.apiReference()].map(
    (path) => `<url><loc>${settings.publicUrl}${path}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`
}
