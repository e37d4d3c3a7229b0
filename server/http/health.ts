import { sql } from 'drizzle-orm'
import type { RequestHandler } from 'express'
import type { App } from '../app'

/** The process runs. */
export const healthz: RequestHandler = (_req, res) => {
  res.json({ ok: true })
}

/**
 * The product can work: the database answers and no page of it is known to be damaged. Word search alone is ready, too,
 * and said so.
 */
export function readyz(app: Pick<App, 'db' | 'databaseCheck' | 'embedding'>): RequestHandler {
  return (_req, res, next) => {
    app.db.read
      .execute(sql`select hash from migrations limit 1`)
      .then(() => {
        const isSound = app.databaseCheck.damage() === null
        const embedding = app.embedding.state()
        const search = embedding.kind === 'ready' ? 'words-and-meaning' : 'words'
        res
          .status(isSound ? 200 : 503)
          .json({ ok: isSound, database: isSound ? 'ready' : 'damaged', embedding, search })
      })
      .catch(next)
  }
}
