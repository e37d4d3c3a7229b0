import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { CircleCheck, HeartPulse } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { adminTitle } from '../../components/admin/admin-title'
import { cumulative } from '../../components/admin/cumulative'
import { healthChecks } from '../../components/admin/health-checks'
import { Tile } from '../../components/admin/tile'
import { useHydrated } from '../../components/ui/browser/use-hydrated'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { StatusBadge } from '../../components/ui/feedback/status-badge'
import { formatBytes, formatCount, formatCounted } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { RelativeTime } from '../../components/ui/time'
import { adminLoader } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

// The library is large, and only this page draws.
const GrowthChart = lazy(async () => ({ default: (await import('../../components/admin/growth-chart')).GrowthChart }))

export const meta: MetaFunction = () => [{ title: `Overview · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminLoader(args, async ({ services, actor, context }) => {
    const [growth, glance, health] = await Promise.all([
      services.admin.userGrowth(actor),
      services.admin.glance(actor),
      services.admin.health(actor),
    ])
    return {
      title: adminTitle(),
      points: cumulative(growth),
      glance,
      jobs: health.jobs,
      disk: health.disk,
      failing: { ...health.failing_sources, docs: health.failing_sources.docs.slice(0, maxListed) },
      checks: healthChecks(health, context.settings.sendsMail),
    }
  })
}

const maxListed = 5

export default function Overview() {
  const { title, points, glance, jobs, disk, failing, checks } = useLoaderData<typeof loader>()
  const hydrated = useHydrated()
  const users = points.at(-1)?.count ?? 0
  const { questions } = glance
  const sumOf = (state: 'queued' | 'running' | 'failed') => jobs.reduce((sum, job) => sum + job[state], 0)
  const usedDisk = disk.total - disk.free
  const isHealthy = checks.every(({ tone }) => tone !== 'danger')
  return (
    <>
      <PageHead title={title}>
        <StatusBadge tone={isHealthy ? 'success' : 'danger'}>
          {isHealthy ? 'All systems healthy' : 'Needs attention'}
        </StatusBadge>
        <LinkButton to={paths.adminHealth()}>
          <HeartPulse aria-hidden="true" />
          Health
        </LinkButton>
      </PageHead>
      <ul className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
        <Tile label="Users" value={formatCount(users)} detail="registered" />
        <Tile
          label="Questions, 24 h"
          value={formatCount(questions.answered + questions.not_found)}
          detail={`${formatCount(questions.not_found)} not found`}
        />
        <Tile
          label="Fragments"
          value={formatCount(glance.fragments)}
          detail={`in ${formatCounted(glance.collections, 'collection')}`}
        />
        <Tile
          label="Queue"
          value={formatCount(sumOf('queued') + sumOf('running'))}
          detail={`${formatCount(sumOf('running'))} running, ${formatCount(sumOf('failed'))} failed`}
        />
        <Tile
          label="Disk"
          value={`${Math.round((100 * usedDisk) / Math.max(disk.total, 1))} %`}
          detail={`${formatBytes(usedDisk)} of ${formatBytes(disk.total)}`}
          share={usedDisk / Math.max(disk.total, 1)}
        />
        <Tile
          label="Failed sources"
          value={formatCount(failing.total)}
          detail={failing.total === 0 ? 'None' : 'see below'}
        />
      </ul>
      <Card label="User Growth">
        <CardHead title="User Growth" count={formatCounted(users, 'user')} />
        <div className="h-[288px] p-4">
          {hydrated && (
            <Suspense>
              <GrowthChart points={points} />
            </Suspense>
          )}
        </div>
      </Card>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)]">
        <Card label="Failed sources">
          <CardHead title="Failed sources" count={formatCount(failing.total)}>
            <Link to={paths.adminList('sources')} className="text-accent-strong hover:underline">
              All sources
            </Link>
          </CardHead>
          {failing.docs.length === 0 ? (
            <p className="flex items-center gap-2 p-4 text-soft">
              <CircleCheck className="size-4 text-success" aria-hidden="true" />
              No source has failed.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {failing.docs.map(({ id, name, message, organization, refreshed_at: time }) => (
                <li key={id} className="flex items-center gap-3 px-4 py-2.5">
                  <div className="min-w-0 flex-1">
                    <p className="truncate font-medium">{name}</p>
                    <p className="truncate text-meta text-soft" title={message ?? undefined}>
                      {[organization, message].filter(Boolean).join(' · ')}
                    </p>
                  </div>
                  {time && (
                    <span className="shrink-0 text-meta text-soft">
                      <RelativeTime value={time} />
                    </span>
                  )}
                  <LinkButton to={paths.adminDetail('sources', id)} aria-label={`Inspect ${name}`}>
                    Inspect
                  </LinkButton>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card label="Health">
          <CardHead title="Health">
            <Link to={paths.adminHealth()} className="text-accent-strong hover:underline">
              Details
            </Link>
          </CardHead>
          <ul className="divide-y divide-line">
            {checks.map(({ name, tone, value, time }) => (
              <li key={name} className="flex items-baseline justify-between gap-4 px-4 py-2.5">
                <StatusBadge tone={tone}>{name}</StatusBadge>
                <span className="min-w-0 truncate text-right text-meta text-soft" title={value}>
                  {time ? <RelativeTime value={time} /> : value}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}
