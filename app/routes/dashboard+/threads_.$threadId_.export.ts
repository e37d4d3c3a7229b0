import type { LoaderFunctionArgs } from '@remix-run/node'
import { threadExport } from '../../../contract/texts/chat/thread-export'
import { dashboardLoader, requireParam } from '../../http/session/dashboard.server'

/** Downloads a thread as JSON, in a file named by its id. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => {
    const thread = await services.threads.get(actor, { organizationId, threadId: requireParam(args.params.threadId) })
    return new Response(`${JSON.stringify(threadExport(thread), null, 2)}\n`, {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="${thread.id.replaceAll(/[^\w-]/g, '')}.json"`,
        'Cache-Control': 'no-store',
      },
    })
  })
}
