import { type ActionFunctionArgs, json, redirect } from '@remix-run/node'
import { pagePreviewSchema } from '../../../../contract/sources/page-preview'
import { parse } from '../../../http/api/parse.server'
import { problem } from '../../../http/api/problem.server'
import { readBody } from '../../../http/body.server'
import { requireParam } from '../../../http/session/dashboard.server'
import { page } from '../../../http/session/page.server'
import { withoutShown } from '../../../http/session/shown-organization.server'
import { paths } from '../../../paths'

/** Previews one page without and with the selectors of a form. POST only, because the fields may hold credentials. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const collectionId = requireParam(params.collectionId)
  try {
    const input = parse(pagePreviewSchema, withoutShown(await readBody(request, { form: true }), organization.id))
    const { services, signal } = context
    return json(await services.pagePreviews.preview(actor, organization.id, collectionId, input, signal))
  } catch (error) {
    return problem(error, context)
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.collection(requireParam(params.collectionId)))
}
