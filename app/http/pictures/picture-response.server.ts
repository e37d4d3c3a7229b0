import { createHash } from 'node:crypto'
import type { Picture } from '../../../server/services/pictures/picture'

/** A picture from elsewhere. Nothing in it runs if it is opened on its own. */
export function pictureResponse({ mediaType, content }: Picture, cacheControl: string): Response {
  return new Response(content, {
    headers: {
      'Content-Type': mediaType,
      'Cache-Control': cacheControl,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}

export function noPicture(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  })
}

/** The icon of a site, or the first letter of its name in a square. */
export function iconResponse(request: Request, icon: Picture | null, name: string): Response {
  const picture = icon ?? letterIcon(name)
  const tag = `"${createHash('sha256').update(picture.content).digest('base64url').slice(0, 16)}"`
  // A site that is new has its icon in some minutes.
  const cacheControl = `public, max-age=${icon ? 86_400 : 300}`
  const response = pictureResponse(picture, cacheControl)
  response.headers.set('ETag', tag)
  if (request.headers.get('If-None-Match') !== tag) return response
  return new Response(null, { status: 304, headers: { ETag: tag, 'Cache-Control': cacheControl } })
}

function letterIcon(name: string): Picture {
  const [letter = '?'] = name.replace(/^www\./, '').toUpperCase()
  const shown = /[\p{L}\p{N}]/u.test(letter) ? letter : '?'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d2529"/><text x="16" y="22" fill="#fff" font-family="system-ui, sans-serif" font-size="17" font-weight="700" text-anchor="middle">${shown}</text></svg>`
  return { mediaType: 'image/svg+xml', content: new TextEncoder().encode(svg) }
}
