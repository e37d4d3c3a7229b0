import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { shownOrganizationField } from '../../../components/ui/forms/organization-form'
import { problem } from '../../../http/api/problem.server'
import { requireParam } from '../../../http/session/dashboard.server'
import { page } from '../../../http/session/page.server'
import { assertShown } from '../../../http/session/shown-organization.server'
import { addSource, editSource } from '../../../http/uploads/source-upload.server'
import { paths } from '../../../paths'

/** Receives one file and responds with its source: a new one, or the one in the query, whose file it replaces. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const organizationId = organization.id
  const collectionId = requireParam(params.collectionId)
  const { searchParams } = new URL(request.url)
  const replaced = searchParams.get('source')
  try {
    // In the address, because the upload starts before the fields have been read.
    assertShown(searchParams.get(shownOrganizationField), organizationId)
    const source = replaced
      ? await editSource(context, request, actor, { organizationId, collectionId, sourceId: replaced })
      : await addSource(context, request, actor, { organizationId, collectionId })
    return Response.json({ source }, { status: replaced ? 200 : 201 })
  } catch (error) {
    return problem(error, context)
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.collection(requireParam(params.collectionId)))
}
