import { sql } from 'drizzle-orm'
import type { RequestHandler } from 'express'
import type { App } from '../app'

/** The process runs. */
export const healthz: RequestHandler = (_req, res) => {
  res.json({ ok: true })
}

/** The product can work: the database answers. Word search alone is ready, too, and said so. */
export function readyz(app: App): RequestHandler {
  return (_req, res, next) => {
    app.db.read
      .execute(sql`select 1 as one`)
      .then(() => {
        const embedding = app.embedding.state()
        res.json({ ok: true, embedding, search: embedding.kind === 'ready' ? 'words-and-meaning' : 'words' })
      })
      .catch(next)
  }
}
