import { getPublishedThread } from '../../../../contract/api/chat'
import { methods, openApi } from '../../../http/api/api.server'

/** A shared thread, for everybody. */
const route = methods({
  GET: openApi({
    operation: getPublishedThread,
    handler: async ({ services, param }) => ({ thread: await services.sharedThreads.published(param('threadId')) }),
  }),
})

export const loader = route
export const action = route
