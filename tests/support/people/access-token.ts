import { system } from '../../../server/actor'
import type { App } from '../../../server/app'

/** A new access token with all rights of the person with this e-mail address. */
export async function issueToken({ services }: Pick<App, 'services'>, email: string): Promise<string> {
  const { id } = await services.accounts.find(system, email)
  return (await services.accessTokens.create(system, id, { name: 'Test', role: null, organization_id: null, days: 1 }))
    .token
}
