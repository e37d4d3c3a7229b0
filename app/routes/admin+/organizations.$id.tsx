import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { ScrollText } from 'lucide-react'
import { type Provider, providerLabels } from '../../../contract/values/enumerations'
import { creatorLink, FactsCard, RelatedLists, timeOr, WithLinks, yesNo } from '../../components/admin/facts'
import { MembersCard, OnboardingCard, PlanCard, UsageCard } from '../../components/admin/organization-cards'
import { PageHead } from '../../components/ui/page-head'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.organization.name ?? 'Organization'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'organization', async ({ services, actor }, id) => ({
    organization: await services.admin.organization(actor, id),
  }))
}

const lists = [
  { name: 'agents', text: 'Agents' },
  { name: 'collections', text: 'Collections' },
  { name: 'sources', text: 'Sources' },
  { name: 'urls', text: 'URLs' },
  { name: 'threads', text: 'Threads' },
] as const

export default function Organization() {
  const { organization } = useLoaderData<typeof loader>()
  const { id, default_agent_provider: provider } = organization
  return (
    <>
      <PageHead title={organization.name} back={{ to: paths.adminList('organizations'), label: 'Organizations' }} />
      <WithLinks
        links={
          <RelatedLists
            label="Of this organization"
            links={lists.map((link) => ({ ...link, to: paths.adminList(link.name, { organization_id: id }) }))}
          >
            <li>
              <Link
                to={paths.adminAudit(id)}
                className="flex items-center gap-2.5 rounded-small px-2.5 py-[7px] font-medium text-soft no-underline hover:bg-sunken"
              >
                <ScrollText className="size-4 shrink-0" aria-hidden="true" />
                Audit log
              </Link>
            </li>
          </RelatedLists>
        }
      >
        <MembersCard members={organization.user_connections} total={organization.members} />
        <FactsCard
          title="Details"
          facts={[
            ['ID', id],
            ['Legal entity name', organization.entity_name],
            ['Default provider', provider && (providerLabels[provider as Provider] ?? provider)],
            ['Default model', organization.default_agent_model],
            ['Has API key', yesNo(organization.has_default_agent_provider_key)],
            ['Created at', timeOr(organization.created_at, '')],
          ]}
        />
      </WithLinks>
      <div className="mt-5 grid grid-cols-1 gap-5">
        <UsageCard records={organization.usage_records} />
        <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
          <div className="grid min-w-0 grid-cols-1 gap-5">
            <OnboardingCard onboarding={organization.onboarding} />
            <FactsCard
              title="Created by user"
              facts={[
                ['E-mail', creatorLink(organization.created_by_user)],
                ['ID', organization.created_by_user?.id ?? null],
                ['External auth ID', organization.created_by_user?.auth0_id ?? null],
              ]}
            />
          </div>
          <PlanCard plan={organization.plan} />
        </div>
      </div>
    </>
  )
}
