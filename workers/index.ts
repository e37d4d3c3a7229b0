import { hostname } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { App } from '../server/app'
import { type JobGroup, jobGroups } from '../server/config/cluster-settings'
import type { JobKind } from '../server/services/jobs/jobs'
import { changeModel } from './jobs/change-model'
import { embedFragments } from './jobs/embed-fragments'
import { reindexText } from './jobs/reindex-text'
import { processIdSpace } from './process-id-space'
import { type KindHandler, type Runner, startRunner } from './runner'

const retryMs = 600_000
/**
 * Attempts within one and a half hours: servers that greylist accept an e-mail in the second half hour at the latest.
 */
const mailAttempts = 8

/** The kinds of jobs of each group in WORKER_JOBS. */
const kindsOf: Record<JobGroup, JobKind[]> = {
  crawl: [
    'crawl-source',
    'detect-boilerplate',
    'purge-collection',
    'purge-source',
    'purge-organization',
    'mail-invitation',
    'mail-link',
    'mail-notice',
    'mail-sign-in',
  ],
  embed: ['embed-fragments', 'change-model'],
  index: ['reindex-text'],
}

/** Runs the jobs of this database in this process: those of its groups, or in a command all. */
export async function startWorkers(app: App, kind: 'server' | 'cli'): Promise<Runner> {
  // Bounds the garbage of a crawl: V8 collects when a heap, of any thread, has grown by this share of its live objects.
  setFlagsFromString('--heap-growing-percent=40')
  const { crawling, invitations, notices, organizationDeletion, purge } = app.services
  const { executeRun, boilerplate } = crawling
  const groups = kind === 'cli' ? jobGroups : app.config.jobs
  const kinds = groups.flatMap((group) => kindsOf[group])
  const handlers: Record<JobKind, KindHandler> = {
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
    // A few collections at a time, when the default of all changes.
    'change-model': { run: changeModel(app.services), concurrency: 2, retryMs },
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
    'mail-notice': { run: (payload) => notices.send(payload), concurrency: 1, maxAttempts: mailAttempts },
    'mail-sign-in': {
      run: ({ signInId = '' }) => app.identity.mailNewDevice(signInId),
      concurrency: 1,
      maxAttempts: mailAttempts,
    },
  }
  if (kinds.includes('reindex-text')) await app.services.textReindexing.request()
  return startRunner({
    db: app.db,
    log: app.log,
    kind,
    // With one database file, the host name outlasts a restart of a container.
    machine: app.config.cluster ? processIdSpace() : hostname(),
    isShared: app.config.cluster !== null,
    signals: app.signals,
    handlers: Object.fromEntries(kinds.map((name) => [name, handlers[name]])),
  })
}
