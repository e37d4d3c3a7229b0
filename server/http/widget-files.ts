import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { compressedFiles } from './compressed-files'

/** The loader, and the files whose names change with their content. */
export const widgetPath = /^\/widget(-[a-z0-9-]+)?\.(?:js|json)$/

/**
 * Serves the widget to pages of any origin: the loader, which is asked for again after five minutes, and the files whose
 * names change with their content.
 */
export function widgetFiles(folder: string): RequestHandler {
  const files = compressedFiles(folder, { cacheControl: false, redirect: false })
  return (req, res, next) => {
    const [, hash] = widgetPath.exec(req.path) ?? []
    if (hash === undefined && req.path !== '/widget.js') return next()
    res.setHeader('Cache-Control', hash ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    files(req, res, (error?: unknown) => {
      if (error) return next(error)
      res.setHeader('Cache-Control', 'no-store')
      res.status(404).type('text').send('Not found')
    })
  }
}

/** Returns the integrity hashes of the loader, `widget.js`, and of the panel; none before the widget is built. */
export function widgetHashes(folder: string): Record<string, string> {
  try {
    const hashes: unknown = JSON.parse(readFileSync(join(folder, 'integrity.json'), 'utf8'))
    const entries = typeof hashes === 'object' && hashes !== null ? Object.entries(hashes) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}
