import { setFlagsFromString } from 'node:v8'
import type { App } from '../server/app'
import { embedFragments } from './jobs/embed-fragments'
import { reindexText } from './jobs/reindex-text'
import { type Runner, startRunner } from './runner'

const retryMs = 600_000
/**
 * Attempts within one and a half hours: servers that greylist accept an e-mail in the second half hour at the latest.
 */
const mailAttempts = 8

/** Runs the jobs of this database in this process. */
export function startWorkers(app: App, kind: 'server' | 'cli'): Promise<Runner> {
  // Bounds the garbage of a crawl: V8 collects when a heap, of any thread, has grown by this share of its live objects.
  setFlagsFromString('--heap-growing-percent=40')
  const { crawling, invitations, organizationDeletion, purge } = app.services
  const { executeRun, boilerplate } = crawling
  return startRunner({
    db: app.db,
    log: app.log,
    kind,
    handlers: {
      'crawl-source': {
        run: ({ sourceId = '', runId = '' }, signal) => executeRun.execute(sourceId, runId, signal),
        concurrency: app.config.crawl.concurrency,
        // Discovery does not leave its slot before its end, which may take minutes on a slow site.
        reserved: 1,
        onGiveUp: ({ sourceId = '', runId = '' }) => executeRun.abandon(sourceId, runId),
      },
      'detect-boilerplate': {
        run: ({ sourceId = '' }, signal) => boilerplate.detectAtRest(sourceId, signal),
        concurrency: 1,
      },
      // Retried without end, because nothing else enqueues them again.
      'embed-fragments': { run: embedFragments(app.services), concurrency: 1, retryMs },
      'reindex-text': { run: reindexText(app), concurrency: 1, retryMs },
      'purge-collection': {
        run: ({ collectionId = '' }) => purge.collection(collectionId),
        concurrency: 1,
        retryMs,
      },
      'purge-organization': {
        run: ({ organizationId = '' }) => organizationDeletion.purge(organizationId),
        concurrency: 1,
        retryMs,
      },
      'purge-source': { run: ({ sourceId = '' }) => purge.source(sourceId), concurrency: 1, retryMs },
      'mail-invitation': {
        run: ({ invitationId = '' }) => invitations.mail(invitationId),
        concurrency: 2,
        maxAttempts: mailAttempts,
      },
      'mail-link': {
        run: ({ purpose = '', email = '' }) => app.identity.mailLink(purpose, email),
        concurrency: 2,
        maxAttempts: mailAttempts,
      },
    },
  })
}
