import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { providerLabels } from '../../../contract/values/enumerations'
import { creatorLink, FactsCard, RecordHead, timeOr } from '../../components/admin/facts'
import { Inspection } from '../../components/chat/inspection'
import { Message } from '../../components/chat/message'
import { notVerified } from '../../components/threads/not-verified'
import { withQuery } from '../../components/ui/browser/query'
import { Card, CardHead } from '../../components/ui/card'
import { formatCount } from '../../components/ui/format'
import { adminDetail } from '../../http/session/admin.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Thread · Admin Panel · ${product.name}` }]

/** Shows what a customer wrote, so the service records it. */
export function loader(args: LoaderFunctionArgs) {
  const inspected = new URL(args.request.url).searchParams.get('inspect')
  return adminDetail(args, 'thread', async ({ services, actor }, id) => ({
    thread: await services.admin.thread(actor, id, inspected),
  }))
}

export default function Thread() {
  const { thread } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const inspected = thread.messages.find((message) => message.id === search.get('inspect'))
  return (
    <>
      <RecordHead
        name="threads"
        record={thread}
        title={thread.title}
        description="Opening this page is recorded in the audit log of the organization."
      />
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_420px]">
        <Card label="Messages">
          <CardHead title="Messages" count={formatCount(thread.messages.length)} />
          {thread.messages.length === 0 ? (
            <p className="p-5 text-soft">No messages.</p>
          ) : (
            <div className="mx-auto grid max-w-[800px] gap-[18px] p-4 sm:p-6">
              {thread.messages.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </div>
          )}
        </Card>
        <FactsCard
          title="Details"
          facts={[
            ['ID', thread.id],
            ['Agent', thread.agent?.name ?? 'Deleted'],
            ['Organization', thread.organization.name],
            ['Created by', creatorLink(thread.created_by_user)],
            ['Provider', thread.provider && providerLabels[thread.provider]],
            ['Provider thread ID', thread.provider_thread_id],
            ['Shared', timeOr(thread.published_at, 'Not shared')],
            ['Origin', thread.meta_origin],
            ['IP', thread.meta_ip],
            ['User agent', thread.meta_user_agent],
            ['External user identifier', notVerified(thread.external_user_id)],
            ['External user e-mail', notVerified(thread.external_user_email)],
            ['External session identifier', notVerified(thread.external_session_id)],
            ['Created at', timeOr(thread.created_at, '')],
          ]}
        />
      </div>
      {inspected && <Inspection message={inspected} closeTo={withQuery(search, { inspect: null })} />}
    </>
  )
}
