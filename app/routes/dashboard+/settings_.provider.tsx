import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { isProvider, providerLabels } from '../../../contract/values/enumerations'
import { SettingList } from '../../components/organizations/setting-list'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { reasons } from '../../components/roles'
import { AllowedLink } from '../../components/ui/allowed'
import { withQuery } from '../../components/ui/browser/query'
import { Card, CardHead } from '../../components/ui/card'
import { PageHead } from '../../components/ui/page-head'
import { dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Provider · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ organization }) => ({ organization }))
}

export default function Provider() {
  const { organization } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const { abilities, default_agent_provider: provider, default_agent_model: model } = organization
  return (
    <>
      <PageHead
        title="Provider"
        description='Answers the questions of agents that "Use defaults". Questions, with the passages found for them, are sent to it.'
      />
      <SettingsNav abilities={abilities} />
      <div className="max-w-3xl">
        <Card label="Default provider">
          <CardHead title="Default provider">
            <AllowedLink
              allowed={abilities.edit}
              reason={reasons.administrator}
              to={withQuery(search, { dialog: 'provider-key' })}
              variant={provider ? 'plain' : 'primary'}
              label={provider ? 'Change provider' : 'Add a provider key'}
            >
              {provider ? 'Change' : 'Add a key'}
            </AllowedLink>
          </CardHead>
          <SettingList
            settings={[
              ['Provider', provider !== null && isProvider(provider) ? providerLabels[provider] : 'None'],
              ['Model', model || (provider ? "The provider's default" : 'None')],
              ['API key', organization.default_agent_provider_key ?? 'None'],
            ]}
          />
        </Card>
      </div>
    </>
  )
}
