import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { threadNotFound } from '../../../contract/texts/chat/threads'
import { isAppError } from '../../../server/errors'
import { Failure, Note, Question } from '../../components/chat/message'
import { SharedSources } from '../../components/chat/source-list'
import { AnswerText } from '../../components/markdown/answer-text'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { RelativeTime } from '../../components/ui/time'
import { visitor } from '../../http/session/page.server'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.thread?.title ?? 'Shared thread'} · ${product.name}` },
  { name: 'robots', content: 'noindex' },
]

export const handle = { scriptless: true }

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** A shared thread, for everybody. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const page = {
    user: await visitor(context, request),
    year: new Date().getFullYear(),
    signUp: context.settings.signUp,
  }
  const headers = { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  try {
    const thread = await context.services.sharedThreads.published(params.threadId ?? '')
    return data({ ...page, thread }, { headers })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
    return data({ ...page, thread: null }, { status: 404, headers })
  }
}

export default function SharedThread() {
  const { user, year, signUp, thread } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} signUp={signUp} />
      <main id="main" className="mx-auto w-full max-w-[800px] flex-1 px-4 py-10 sm:px-6">
        {thread ? (
          <>
            <h1 className="break-words text-title font-semibold tracking-tight">{thread.title}</h1>
            <p className="mt-1 mb-6 text-soft">
              {thread.agent && `${thread.agent.name} · `}
              Shared <RelativeTime value={thread.published_at} />
            </p>
            <div className="grid gap-[18px]">
              {thread.messages.map((message) => (
                <SharedMessage key={message.id} message={message} />
              ))}
            </div>
          </>
        ) : (
          <h1 className="py-16 text-center text-title font-semibold tracking-tight">{threadNotFound}</h1>
        )}
      </main>
      <PublicFooter year={year} />
    </div>
  )
}

type SharedMessageView = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['thread']>['messages'][number]

function SharedMessage({ message }: { message: SharedMessageView }) {
  const note = message.status_message
  if (message.role === 'user') {
    return (
      <div className="grid gap-1">
        <Question text={message.content} />
        {note && <p className="text-right text-meta text-soft">{note}</p>}
      </div>
    )
  }
  return (
    <article aria-label="Answer" className="text-read">
      {message.content && (
        <AnswerText
          markdown={message.content}
          fragments={[]}
          links={new Map(message.sources.map(({ number, link }) => [number, link]))}
        />
      )}
      {note && (message.content ? <Note text={note} /> : <Failure title={note} />)}
      <SharedSources sources={message.sources} />
    </article>
  )
}
