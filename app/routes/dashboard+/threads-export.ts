import type { LoaderFunctionArgs } from '@remix-run/node'
import { threadFilterSchema } from '../../../contract/chat/thread-filter'
import { dashboardLoader } from '../../http/session/dashboard.server'
import { threadsDownload } from '../../http/uploads/threads-download.server'

/** Downloads the threads that match the filters of the list, as lines of JSON. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url, context }) => {
    const filter = threadFilterSchema.parse(Object.fromEntries(url.searchParams))
    return threadsDownload(services.threadSelections.exportLines(actor, organizationId, filter), context)
  })
}
