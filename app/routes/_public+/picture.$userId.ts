import type { LoaderFunctionArgs } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { noPicture, pictureResponse } from '../../http/pictures/picture-response.server'
import { sessionOf } from '../../http/session/session.server'

/** The picture of a person, for that person and for platform administrators. Its address has the version of the content. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const session = await sessionOf(context, request)
  if (!session) return noPicture()
  try {
    const picture = await context.services.pictures.get(session.actor, params.userId ?? '')
    return pictureResponse(picture, 'private, max-age=31536000, immutable')
  } catch (error) {
    if (isAppError(error) && error.code === 'not_found') return noPicture()
    throw error
  }
}
