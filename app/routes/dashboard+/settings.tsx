import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { SecondFactorRequirementCard } from '../../components/account/second-factor/requirement-card'
import { SettingList } from '../../components/organizations/setting-list'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { reasons } from '../../components/roles'
import { AllowedLink } from '../../components/ui/allowed'
import { withQuery } from '../../components/ui/browser/query'
import { Card, CardHead } from '../../components/ui/card'
import { PageHead } from '../../components/ui/page-head'
import { handleSettingsAction } from '../../http/actions/settings-actions.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Settings · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organization, context }) => ({
    organization,
    isLastAdministrator: await services.members.isLastAdministrator(actor, organization.id),
    signInService: context.settings.signInService,
    withoutSecondFactor: organization.abilities.edit
      ? await services.members.withoutSecondFactor(actor, organization.id)
      : 0,
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => handleSettingsAction(call, form))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Settings() {
  const { organization, isLastAdministrator, signInService, withoutSecondFactor } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const { abilities } = organization
  return (
    <>
      <PageHead title="Settings" description={`What applies to all of ${organization.name}.`} />
      <SettingsNav abilities={abilities} />
      <div className="grid max-w-3xl gap-5">
        <Card label="General">
          <CardHead title="General">
            <AllowedLink
              allowed={abilities.edit}
              reason={reasons.administrator}
              to={withQuery(search, { dialog: 'organization' })}
              icon={Pencil}
              label="Edit organization"
            >
              Edit
            </AllowedLink>
          </CardHead>
          <SettingList
            settings={[
              ['Name', organization.name],
              ['Legal entity name', organization.entity_name || 'None'],
              ['Daily share of visitors', `${organization.visitor_daily_share} %`],
              ['ID', <code key="id">{organization.id}</code>],
            ]}
          />
        </Card>
        {signInService === null && (
          <SecondFactorRequirementCard organization={organization} withoutSecondFactor={withoutSecondFactor} />
        )}
        <Card label="Leave or delete">
          <CardHead title="Leave or delete" />
          <div className="divide-y divide-line">
            <Ending text="You lose access to everything in it. Your work stays.">
              <AllowedLink
                allowed={!isLastAdministrator}
                reason={reasons.lastAdministrator}
                to={withQuery(search, { dialog: 'leave' })}
                label="Leave organization"
              >
                Leave
              </AllowedLink>
            </Ending>
            <Ending text="Deletes everything in it, for all its members.">
              <AllowedLink
                allowed={abilities.delete}
                reason={reasons.administrator}
                to={withQuery(search, { dialog: 'delete-organization' })}
                variant="quiet-danger"
                label="Delete organization"
              >
                Delete
              </AllowedLink>
            </Ending>
          </div>
        </Card>
      </div>
    </>
  )
}

function Ending({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="min-w-0 flex-1 basis-48 text-soft">{text}</p>
      {children}
    </div>
  )
}
