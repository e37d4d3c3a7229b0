import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { HeartPulse } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { adminTitle } from '../../components/admin/admin-title'
import { cumulative } from '../../components/admin/cumulative'
import { useHydrated } from '../../components/ui/browser/use-hydrated'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { formatCounted } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { adminLoader } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

// The library is large, and only this page draws.
const GrowthChart = lazy(async () => ({ default: (await import('../../components/admin/growth-chart')).GrowthChart }))

export const meta: MetaFunction = () => [{ title: `Overview · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminLoader(args, async ({ services, actor }) => ({
    title: adminTitle(),
    points: cumulative(await services.admin.userGrowth(actor)),
  }))
}

export default function Overview() {
  const { title, points } = useLoaderData<typeof loader>()
  const hydrated = useHydrated()
  const users = points.at(-1)?.count ?? 0
  return (
    <>
      <PageHead title={title}>
        <LinkButton to={paths.adminHealth()}>
          <HeartPulse aria-hidden="true" />
          Health
        </LinkButton>
      </PageHead>
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
    </>
  )
}
