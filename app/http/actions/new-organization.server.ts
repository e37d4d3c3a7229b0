import type { AppLoadContext } from '@remix-run/node'
import { redirect } from '@remix-run/node'
import { organizationSchema } from '../../../contract/organizations/organization'
import { organizationFailure } from '../../../contract/texts/organization-failure'
import type { Actor } from '../../../server/actor'
import { paths } from '../../paths'
import { type FailureTitle, submitForm } from '../forms/form.server'

interface NewOrganizationCall {
  context: AppLoadContext
  request: Request
  actor: Actor
}

/** Creates an organization, selects it in this browser and redirects to its onboarding. */
export function createOrganization(
  { context, request, actor }: NewOrganizationCall,
  form: FormData,
  failed: FailureTitle = organizationFailure.title,
) {
  return submitForm(context, form, organizationSchema, failed, async (input) => {
    const { id } = await context.services.organizations.create(actor, input)
    await context.identity.selectOrganization(request, id)
    return redirect(paths.onboarding(), 303)
  })
}
