import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { type PlanLimit, planLimits } from '../../../contract/organizations/plan'
import { planLimitLabels } from '../../../contract/texts/plan-limits'
import { messageStatuses } from '../../../contract/values/enumerations'
import {
  minFreeDisk,
  type NoticeKind,
  noticedAnswers,
  noticedFailures,
  noticedLoss,
  noticedShares,
} from '../../../contract/values/notices'
import type { HealthView, MachineState } from '../../../contract/views/health'
import type { Queries } from '../../../db/database'
import { runOutcomes } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { runs, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { plans } from '../../../db/schema/plans'
import { messages, threads } from '../../../db/schema/threads'
import { usage } from '../../../db/schema/usage'
import { planView } from '../organizations/plans'
import { lastFullRun } from '../runs/runs'

/** Something that lasts, and that somebody should look at. */
export interface Notice {
  key: string
  organizationId: string | null
  kind: NoticeKind
  title: string
  text: string
  path: string
}

export interface ConditionDeps {
  read: Queries
  storage(): Promise<Pick<MachineState, 'disk'>>
  backups(): Promise<HealthView['backups']>
}

/** How far a use has to fall below a share before it is no longer noticed, so that it does not come and go. */
const slack = 0.05
/** Runs that are over for longer have been seen. */
const lossDays = 7
const dayMs = 86_400_000
/** Threads among which the last answers of an agent are looked for. */
const maxThreads = 50

const readable = ['new', 'changed', 'unchanged'] as const

/** Returns all that needs attention now. `open` has the keys of what did before. */
export async function currentNotices(deps: ConditionDeps, open: ReadonlySet<string>, now: Date): Promise<Notice[]> {
  const { read } = deps
  return [
    ...(await failingSources(read)),
    ...(await lostPages(read, now)),
    ...(await reachedLimits(read, open, now)),
    ...(await failingAnswers(read)),
    ...(await ofInstallation(deps)),
  ]
}

/** Sources whose last runs all ended without a readable page. */
async function failingSources(read: Queries): Promise<Notice[]> {
  const rows = await read
    .select()
    .from(sources)
    .where(and(eq(sources.status, 'fail'), isNull(sources.deletedAt)))
  const found: Notice[] = []
  for (const { id, organizationId, collectionId, name, message } of rows) {
    // Requests go on between two sources.
    await nextTurn()
    const last = await read
      .select({ id: runs.id })
      .from(runs)
      .where(and(eq(runs.sourceId, id), ne(runs.kind, 'address'), isNotNull(runs.finishedAt), isNull(runs.cancelledAt)))
      .orderBy(desc(runs.startedAt), desc(runs.id))
      .limit(noticedFailures)
    const ids = last.map((run) => run.id)
    const hasRead = and(inArray(runOutcomes.runId, ids), inArray(runOutcomes.outcome, [...readable]))
    if (ids.length < noticedFailures || (await read.$count(runOutcomes, hasRead)) > 0) continue
    found.push({
      key: `source-failing:${id}`,
      organizationId,
      kind: 'source-failing',
      title: `Sitelore could not read ${name} three times in a row`,
      text: message ?? 'The last run failed.',
      path: sourcePath(collectionId, id),
    })
  }
  return found
}

/** Sources whose last run withdrew more than a fifth of their pages. */
async function lostPages(read: Queries, now: Date): Promise<Notice[]> {
  const pages = sql<number>`sum(${runOutcomes.count})`.mapWith(Number)
  const rows = await read
    .select({ run: runs.id, source: sources, lost: pages })
    .from(runs)
    .innerJoin(runOutcomes, eq(runOutcomes.runId, runs.id))
    .innerJoin(sources, eq(sources.id, runs.sourceId))
    .where(
      and(
        gt(runs.finishedAt, new Date(now.getTime() - lossDays * dayMs)),
        eq(runOutcomes.outcome, 'withdrawn'),
        isNull(sources.deletedAt),
      ),
    )
    .groupBy(runs.id, sources.id)
  const found: Notice[] = []
  for (const { run, source, lost } of rows) {
    await nextTurn()
    if ((await lastFullRun(read, source.id))?.id !== run) continue
    const isLeft = and(eq(runOutcomes.runId, run), inArray(runOutcomes.outcome, [...readable]))
    const [left] = await read.select({ pages }).from(runOutcomes).where(isLeft)
    const all = lost + (left?.pages ?? 0)
    if (lost / all <= noticedLoss) continue
    found.push({
      key: `pages-lost:${source.id}`,
      organizationId: source.organizationId,
      kind: 'pages-lost',
      title: `${source.name} lost ${lost} of ${all} pages`,
      text: 'The last crawl found them no longer. Its report says why.',
      path: sourcePath(source.collectionId, source.id),
    })
  }
  return found
}

/** Limits of plans of which organizations have used a noticed share, as the hourly record of their use says. */
async function reachedLimits(read: Queries, open: ReadonlySet<string>, now: Date): Promise<Notice[]> {
  const rows = await read
    .select({ usage, plan: plans })
    .from(usage)
    .innerJoin(organizations, and(eq(organizations.id, usage.organizationId), isNull(organizations.deletedAt)))
    .innerJoin(plans, eq(plans.name, organizations.plan))
    .where(and(eq(usage.year, now.getUTCFullYear()), eq(usage.month, now.getUTCMonth() + 1)))
  return rows.flatMap(({ usage: { apiRequests, ...counted }, plan }) => {
    const used = { ...counted, api_requests: apiRequests }
    const limits = planView(plan)
    return planLimits.flatMap((limit) => limitNotice(used.organizationId, limit, used[limit], limits[limit], open))
  })
}

function limitNotice(
  organizationId: string,
  limit: PlanLimit,
  used: number,
  allowed: number,
  open: ReadonlySet<string>,
): Notice[] {
  if (allowed === 0) return []
  const keyOf = (share: number) => `plan-limit:${organizationId}:${limit}:${share}`
  const share = noticedShares.findLast((each) => used >= allowed * (open.has(keyOf(each)) ? each - slack : each))
  if (share === undefined) return []
  const label = planLimitLabels[limit]
  return [
    {
      key: keyOf(share),
      organizationId,
      kind: 'plan-limit',
      title: share < 1 ? `${label}: ${share * 100} % of the plan is used` : `${label}: the plan's limit is reached`,
      text: `The plan allows ${new Intl.NumberFormat('en').format(allowed)}${limit === 'storage' ? ' bytes' : ''}.`,
      path: '/dashboard/settings/usage',
    },
  ]
}

/** Agents whose last answers failed more often than not, because of their provider. */
async function failingAnswers(read: Queries): Promise<Notice[]> {
  const rows = await read
    .select()
    .from(agents)
    .where(and(gt(agents.failedAnswers, 0), isNull(agents.archivedAt)))
  const found: Notice[] = []
  for (const { id, organizationId, name } of rows) {
    await nextTurn()
    const latest = read
      .select({ id: threads.id })
      .from(threads)
      .where(eq(threads.agentId, id))
      .orderBy(desc(threads.createdAt))
      .limit(maxThreads)
    const answers = await read
      .select({ status: messages.status, text: messages.statusMessage })
      .from(messages)
      .where(and(inArray(messages.threadId, latest), ne(messages.role, 'user')))
      .orderBy(desc(messages.createdAt))
      .limit(noticedAnswers.looked)
    const failed = answers.filter(({ status }) => status === messageStatuses.error)
    if (answers.length < noticedAnswers.looked || failed.length < noticedAnswers.failed) continue
    found.push({
      key: `answers-failing:${id}`,
      organizationId,
      kind: 'answers-failing',
      title: `${failed.length} of the last ${answers.length} answers of ${name} failed`,
      text: failed[0]?.text ?? 'Its threads say why.',
      path: `/dashboard/agent/${id}`,
    })
  }
  return found
}

async function ofInstallation({ storage, backups }: ConditionDeps): Promise<Notice[]> {
  const { disk } = await storage()
  const { failure } = await backups()
  const place = { organizationId: null, path: '/admin/health' }
  const found: Notice[] = []
  if (disk.free < disk.total * minFreeDisk)
    found.push({
      ...place,
      key: 'disk-low',
      kind: 'disk-low',
      title: `Only ${Math.floor((100 * disk.free) / disk.total)} % of the disk is free`,
      text: 'On a full disk, Sitelore stores nothing more until there is room.',
    })
  if (failure)
    found.push({
      ...place,
      key: 'backup-failed',
      kind: 'backup-failed',
      title: 'The scheduled backup failed',
      text: failure.message,
    })
  return found
}

function sourcePath(collectionId: string, sourceId: string): string {
  return `/dashboard/collection/${collectionId}/source/${sourceId}`
}
