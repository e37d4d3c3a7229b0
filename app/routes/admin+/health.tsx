import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { HealthView, JobsOfKind, SearchIndexView } from '../../../contract/views/health'
import { type Fact, FactsCard, timeOr } from '../../components/admin/facts'
import { ModelsCard } from '../../components/admin/models-card'
import { Card, CardHead } from '../../components/ui/card'
import { formatBytes, formatCount, formatCounted } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { Cell, type Column, NameCell, Table } from '../../components/ui/tables/table'
import { LocalTime, RelativeTime } from '../../components/ui/time'
import { adminLoader } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Health · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminLoader(args, async ({ services, actor }) => ({ health: await services.admin.health(actor) }))
}

export default function Health() {
  const { health } = useLoaderData<typeof loader>()
  const { memory, disk, database, event_loop: loop, backlog } = health
  return (
    <>
      <PageHead
        title="Health"
        description="How this installation is right now. Reload the page to measure again."
        back={{ to: paths.admin(), label: 'Overview' }}
      />
      <JobsCard jobs={health.jobs} />
      <div className="mt-5 grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <FactsCard
          title="Process"
          facts={[
            ['Version', health.version],
            ['Node.js', health.node],
            ['Process ID', String(health.pid)],
            ['Started', <RelativeTime key="started" value={health.started_at} />],
            ...(database.kind === 'sqlite' ? [] : [['Workers', formatCount(health.workers)] satisfies Fact]),
            ['Event loop delay', `${loop.delay_median} ms, at most ${loop.delay_max} ms`],
            ['Event loop busy', percent(loop.utilization)],
            ['Memory of the process', `${formatBytes(memory.resident)}, of which heap ${formatBytes(memory.heap)}`],
          ]}
        />
        <FactsCard
          title="Storage"
          facts={[
            ['Memory of the machine', freeOf(memory.machine_free, memory.machine_total)],
            ['Disk of the data folder', freeOf(disk.free, disk.total)],
            [databaseLabels[database.kind], formatBytes(database.bytes)],
            ...storageFacts(health),
          ]}
        />
        <FactsCard
          title="Search"
          facts={[
            ['Embedding model', modelOf(health.embedding)],
            ...(health.reranker ? [['Reranker', rerankerOf(health.reranker)] satisfies Fact] : []),
            ['Without a vector', formatCounted(backlog.without_vector, 'fragment')],
            ...(health.search_index
              ? searchIndexFacts(health.search_index)
              : [['Not in the keyword index', formatCounted(backlog.not_in_text_index, 'fragment')] satisfies Fact]),
          ]}
        />
        <FailingCard
          title="Failing sources"
          total={health.failing_sources.total}
          shown={health.failing_sources.docs.length}
          none="No failing sources."
        >
          {health.failing_sources.docs.map(({ id, name, message }) => (
            <Failure key={id} to={paths.adminDetail('sources', id)} name={name}>
              {message ?? 'No reason is known.'}
            </Failure>
          ))}
        </FailingCard>
        <FailingCard
          title="Provider errors"
          total={health.failing_agents.total}
          shown={health.failing_agents.docs.length}
          none="No provider errors."
        >
          {health.failing_agents.docs.map(({ id, name, failed_answers: failed, key_refused: refused }) => (
            <Failure key={id} to={paths.adminDetail('agents', id)} name={name}>
              {refused
                ? 'The provider refused the key.'
                : `${failed === 1 ? 'The last answer' : `The last ${formatCount(failed)} answers`} failed.`}
            </Failure>
          ))}
        </FailingCard>
        <FactsCard title="What may leave this machine" facts={health.outbound.map(({ to, why }) => [to, why])} />
      </div>
      <ModelsCard models={health.models} />
    </>
  )
}

const databaseLabels = { sqlite: 'Database', postgresql: 'PostgreSQL' }

/** PostgreSQL has its own log, checks and backups. */
function storageFacts({ database, last_backup, backups }: HealthView): Fact[] {
  if (database.kind !== 'sqlite') return []
  return [
    ['Write-ahead log', formatBytes(database.wal_bytes ?? 0)],
    ['Database check', database.damage ?? 'No damage found'],
    ['Last backup', backupOf(last_backup)],
    ['Next backup', backups.next_at ? <LocalTime key="next" value={backups.next_at} /> : 'Not scheduled'],
    ...(backups.failure ? [['Failed backup', failureOf(backups.failure)] satisfies Fact] : []),
  ]
}

const indexStates: Record<SearchIndexView['status'], string> = {
  green: 'Works',
  yellow: 'Works, without copies on other nodes',
  red: 'Searches fail: parts of the index are missing',
  away: 'Does not respond: searches fail',
}

function searchIndexFacts(index: SearchIndexView): Fact[] {
  const { status, documents, bytes, is_current: isCurrent, pending, oldest_pending_at: oldest } = index
  return [
    ['OpenSearch', indexStates[status]],
    ['Index', `${formatCounted(documents, 'fragment')}, ${formatBytes(bytes)}`],
    ['Waiting for the index', oldest ? <Waiting key="waiting" pending={pending} since={oldest} /> : 'None'],
    ...(isCurrent || status === 'away'
      ? []
      : [['Index version', 'Another model or version. Run: sitelore search-index rebuild'] satisfies Fact]),
  ]
}

function Waiting({ pending, since }: { pending: number; since: string }) {
  return (
    <>
      {formatCounted(pending, 'fragment')}, the first since <RelativeTime value={since} />
    </>
  )
}

const jobColumns: Column[] = [
  { title: 'Kind', width: 'w-40' },
  { title: 'Last error' },
  { title: 'Queued', width: 'w-20', number: true },
  { title: 'Running', width: 'w-20', number: true },
  { title: 'Failed', width: 'w-20', number: true },
  { title: 'Oldest', width: 'w-32', number: true, extra: true },
  { title: 'Oldest lease', width: 'w-48', number: true, extra: true },
]

function JobsCard({ jobs }: { jobs: JobsOfKind[] }) {
  return (
    <Card label="Jobs">
      <CardHead title="Jobs" />
      {jobs.length === 0 ? (
        <p className="p-5 text-soft">No jobs are queued, running or failed.</p>
      ) : (
        <Table label="Jobs" columns={jobColumns}>
          {jobs.map((job) => (
            <tr key={job.kind}>
              <NameCell name={job.kind} />
              <Cell card="line">{job.error && <span title={job.error}>{job.error}</span>}</Cell>
              <Cell label="Queued" number>
                {formatCount(job.queued)}
              </Cell>
              <Cell label="Running" number>
                {formatCount(job.running)}
              </Cell>
              <Cell label="Failed" number>
                {formatCount(job.failed)}
              </Cell>
              <Cell number extra>
                <RelativeTime value={job.oldest_at} />
              </Cell>
              <Cell number extra>
                {timeOr(job.oldest_lease, 'None')}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

interface FailingCardProps {
  title: string
  total: number
  shown: number
  /** What is said where nothing fails. */
  none: string
  children: ReactNode
}

function FailingCard({ title, total, shown, none, children }: FailingCardProps) {
  return (
    <Card label={title}>
      <CardHead title={title} count={formatCount(total)} />
      {total === 0 ? <p className="p-5 text-soft">{none}</p> : <ul className="grid gap-3 p-5">{children}</ul>}
      {shown < total && (
        <p className="border-t border-line px-4 py-3 text-meta text-soft">
          {formatCount(shown)} of {formatCount(total)} are shown.
        </p>
      )}
    </Card>
  )
}

function Failure({ to, name, children }: { to: string; name: string; children: string }) {
  return (
    <li className="min-w-0 wrap-anywhere">
      <Link to={to} className="text-accent-strong hover:underline">
        {name}
      </Link>
      <p className="text-meta text-soft">{children}</p>
    </li>
  )
}

function modelOf(embedding: HealthView['embedding']): string {
  if (embedding === 'starting') return 'Starting'
  return 'model' in embedding ? embedding.model : `Unavailable: ${embedding.unavailable}`
}

function rerankerOf({ model, is_ready: isReady, problem }: NonNullable<HealthView['reranker']>): string {
  if (problem !== null) return `Unavailable: ${problem}`
  return isReady ? model : 'Starting'
}

function backupOf(backup: HealthView['last_backup']): ReactNode {
  if (backup === null) return 'None recorded'
  return (
    <>
      <RelativeTime value={backup.created_at} />, {formatBytes(backup.bytes)}
      {backup.verified && ', verified'}
    </>
  )
}

function failureOf({ at, message }: NonNullable<HealthView['backups']['failure']>): ReactNode {
  return (
    <>
      <RelativeTime value={at} />: {message}
    </>
  )
}

function freeOf(free: number, total: number): string {
  return `${formatBytes(free)} free of ${formatBytes(total)}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
