import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useRouteError, useSearchParams } from '@remix-run/react'
import { ChevronLeft, CircleAlert, Download, Trash2 } from 'lucide-react'
import { Message } from '../../components/chat/message'
import { reasons } from '../../components/roles'
import { ShareThread } from '../../components/threads/share-thread'
import { ThreadDetails } from '../../components/threads/thread-details'
import { AllowedLink } from '../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { buttonClasses, LinkButton } from '../../components/ui/button'
import { ConfirmDialog } from '../../components/ui/dialogs/confirm-dialog'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { lazyComponent } from '../../components/ui/lazy-component'
import { Tabs } from '../../components/ui/tabs'
import { handleEraseVisitorAction } from '../../http/actions/threads/erase-visitor-action.server'
import { handleThreadAction } from '../../http/actions/threads/thread-actions.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../http/session/dashboard.server'
import { paths } from '../../paths'

const Inspection = lazyComponent(async () => (await import('../../components/chat/inspection')).Inspection)

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => ({
    thread: await services.threads.open(actor, { organizationId, threadId: requireParam(args.params.threadId) }),
    origin: args.context.settings.publicUrl,
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => {
    const threadId = requireParam(args.params.threadId)
    return handleEraseVisitorAction(call, form, threadId) ?? handleThreadAction(call, form, threadId)
  })
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Thread() {
  const { thread, origin } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const messages = thread.messages ?? []
  const { delete: mayDelete } = thread.abilities
  const inspected = messages.find((message) => message.id === search.get('inspect'))
  return (
    <>
      <div className="flex flex-wrap items-center justify-end gap-1 px-3 pt-2 max-sm:px-1 max-sm:[&_:is(a,button)]:!px-1.5">
        <LinkButton
          to={`${paths.threads()}?${withoutDialog(search).slice(1)}`}
          variant="quiet"
          className="mr-auto lg:hidden"
        >
          <ChevronLeft aria-hidden="true" />
          All threads
        </LinkButton>
        <ShareThread thread={{ ...thread, url: origin + paths.sharedThread(thread.id) }} />
        <a href={paths.threadExport(thread.id)} download className={buttonClasses('quiet')}>
          <Download aria-hidden="true" />
          Save as JSON
        </a>
        <AllowedLink
          allowed={mayDelete}
          reason={reasons.administrator}
          to={withQuery(search, { dialog: 'delete' })}
          variant="quiet-danger"
          icon={Trash2}
        >
          Delete thread
        </AllowedLink>
      </div>
      <Tabs
        key={thread.id}
        label="Thread"
        tabs={[
          {
            value: 'messages',
            title: 'Messages',
            content: (
              <div className="mx-auto grid max-w-[800px] gap-[18px] p-4 sm:p-6">
                {messages.map((message) => (
                  <Message key={message.id} message={message} />
                ))}
              </div>
            ),
          },
          {
            value: 'details',
            title: 'Details',
            content: (
              <>
                <ThreadDetails thread={thread} />
                <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3">
                  <p className="min-w-0 flex-1 basis-48 text-soft">
                    Deletes this thread and all others of the same visitor.
                  </p>
                  <AllowedLink
                    allowed={mayDelete}
                    reason={reasons.administrator}
                    to={withQuery(search, { dialog: 'erase' })}
                    variant="danger"
                  >
                    Erase visitor
                  </AllowedLink>
                </div>
              </>
            ),
          },
        ]}
      />
      {inspected && <Inspection message={inspected} closeTo={withQuery(search, { inspect: null })} />}
      {search.get('dialog') === 'erase' && mayDelete && (
        <ConfirmDialog
          title="Erase this visitor?"
          confirm="Erase visitor"
          closeTo={withoutDialog(search)}
          values={{ intent: 'erase-visitor' }}
        >
          <p>
            This thread is deleted, and every other thread with the same external user, e-mail address or session. This
            cannot be undone. The audit log says how many, and not whose.
          </p>
        </ConfirmDialog>
      )}
      {search.get('dialog') === 'delete' && mayDelete && (
        <ConfirmDialog
          title="Delete this thread?"
          confirm="Delete thread"
          closeTo={withoutDialog(search)}
          values={{ intent: 'delete-thread' }}
        >
          <p>Its messages are deleted with it. The agent and its collection stay. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  const message =
    typeof error === 'object' && error !== null && 'data' in error
      ? (error.data as { message?: string })?.message
      : undefined
  return (
    <EmptyState icon={CircleAlert} title="Error">
      {message ?? 'The thread could not be loaded.'}
    </EmptyState>
  )
}
