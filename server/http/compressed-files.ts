import type { RequestHandler } from 'express'
import expressStaticGzip from 'express-static-gzip'

/** Serves built files, in the smallest form that the build has beside them and the client accepts. */
export function compressedFiles(folder: string, serveStatic: object): RequestHandler {
  return expressStaticGzip(folder, { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false, serveStatic })
}
