import { redirect } from '@remix-run/node'
import { firstSiteSchema } from '../../../contract/sources/first-site'
import { paths } from '../../paths'
import { submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'

/** Handles the steps of the welcome card. Null for any other intent. */
export function handleFirstStepsAction(call: DashboardCall, form: FormData) {
  const { services, actor, organizationId, context } = call
  switch (form.get('intent')) {
    case 'add-site':
      return submitForm(context, form, firstSiteSchema, 'Failed to process source', async ({ url }) =>
        redirect(paths.collection(await services.firstSteps.addSite(actor, organizationId, url)), 303),
      )
    case 'ask': {
      const collection = String(form.get('collection') ?? '') || null
      return redirectWithError('Failed to create agent', call, async () =>
        redirect(paths.agent(await services.firstSteps.agentToAsk(actor, organizationId, collection)), 303),
      )
    }
    default:
      return null
  }
}
