import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { sourceSchema } from '../../../contract/source'
import { parse } from '../../http/api.server'
import { readBody } from '../../http/body.server'
import { page } from '../../http/page.server'
import { previewStream } from '../../http/preview-stream.server'
import { problem } from '../../http/problem.server'
import { required } from '../../http/visit.server'
import { paths } from '../../paths'

/** What the form of a new source would take in, as a stream. Takes the fields by POST alone: they may hold credentials. */
export async function action({ context, request, params }: ActionFunctionArgs) {
  const { actor, organization } = await page(context, request)
  const collectionId = required(params.collectionId)
  try {
    const input = parse(sourceSchema, await readBody(request, true))
    const { app, signal } = context
    return await previewStream(app, signal, app.sources.preview(actor, organization.id, collectionId, input, signal))
  } catch (error) {
    return problem(error, context)
  }
}

export function loader({ params }: ActionFunctionArgs) {
  return redirect(paths.collection(required(params.collectionId)))
}
