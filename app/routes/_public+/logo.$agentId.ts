import type { LoaderFunctionArgs } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { noPicture, pictureResponse } from '../../http/pictures/picture-response.server'

/** The logo of an agent, for the pages that have its widget. Its address has the version of the content. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  try {
    const logo = await context.services.logos.get(params.agentId ?? '')
    return pictureResponse(logo, 'public, max-age=31536000, immutable')
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
    return noPicture()
  }
}
