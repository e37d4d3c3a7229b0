import { setFlagsFromString } from 'node:v8'
import type { App } from '../server/app'
import { crawlSource, giveUpSource } from './jobs/crawl-source'
import { detectBoilerplate } from './jobs/detect-boilerplate'
import { embedFragments } from './jobs/embed-fragments'
import { indexWords } from './jobs/reindex-text'
import { type Runner, startRunner } from './runner'

/** Runs the jobs of this database in this process. */
export function startWorkers(app: App, kind: 'server' | 'cli'): Promise<Runner> {
  // A crawl makes garbage as fast as V8 lets it grow: this much more than what is alive, of this thread and of others.
  setFlagsFromString('--heap-growing-percent=40')
  return startRunner({
    db: app.db,
    log: app.log,
    kind,
    handlers: {
      'crawl-source': {
        run: crawlSource(app),
        atOnce: app.config.crawl.concurrency,
        // A look for addresses gives its place to nobody before its end, and a slow site may take minutes.
        spare: 1,
        onGivenUp: giveUpSource(app),
      },
      'detect-boilerplate': { run: detectBoilerplate(app), atOnce: 1 },
      // Nobody else asks again for the vectors of fragments that are stored already.
      'embed-fragments': { run: embedFragments(app), atOnce: 1, retryMs: 600_000 },
      // The migration that emptied the index asked for it once.
      'reindex-text': { run: indexWords(app), atOnce: 1, retryMs: 600_000 },
      'sweep-collection': {
        run: ({ collectionId = '' }) => app.purge.collection(collectionId),
        atOnce: 1,
        retryMs: 600_000,
      },
      'sweep-source': { run: ({ sourceId = '' }) => app.purge.source(sourceId), atOnce: 1, retryMs: 600_000 },
    },
  })
}
