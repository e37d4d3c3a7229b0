import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { MessageCircle } from 'lucide-react'
import { threadNotFound } from '../../../contract/texts/chat/threads'
import { isAppError } from '../../../server/errors'
import { Failure, Note, Question } from '../../components/chat/message'
import { SharedSources } from '../../components/chat/source-list'
import { AnswerText } from '../../components/markdown/answer-text'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { useNonce } from '../../components/ui/browser/nonce'
import { Button } from '../../components/ui/button'
import { Card } from '../../components/ui/card'
import { RelativeTime } from '../../components/ui/time'
import { visitor } from '../../http/session/page.server'
import { visitorLanguage } from '../../http/session/visitor-language.server'
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
    const { sharedThreads } = context.services
    const thread = await sharedThreads.published(params.threadId ?? '')
    const invitation = await sharedThreads.invitation(thread.id, visitorLanguage(request))
    return data({ ...page, thread, invitation }, { headers })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
    return data({ ...page, thread: null, invitation: null }, { status: 404, headers })
  }
}

export default function SharedThread() {
  const { user, year, signUp, thread, invitation } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} signUp={signUp} />
      <main id="main" className="mx-auto w-full max-w-[800px] flex-1 px-4 py-10 sm:px-6">
        {thread ? (
          <>
            <p className="mb-1 break-words text-meta text-soft">
              {thread.agent && `${thread.agent.name} · `}
              Shared <RelativeTime value={thread.published_at} />
            </p>
            <h1 className="mb-6 break-words text-[1.75rem] font-semibold leading-tight tracking-tight">
              {thread.title}
            </h1>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px]">
              {thread.messages.map((message, index) => (
                // The first question is the title, unless it is longer.
                <SharedMessage
                  key={message.id}
                  threadId={thread.id}
                  message={message}
                  isTitle={index === 0 && message.content === thread.title}
                />
              ))}
            </div>
            {invitation && <AskYourOwn {...invitation} />}
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

/** Opens the widget of the agent, on this page. */
function AskYourOwn({ publicKey, suggestions }: { publicKey: string; suggestions: string[] }) {
  const nonce = useNonce()
  return (
    <Card label="Ask your own question" className="mt-8">
      <div className="grid justify-items-start gap-3 p-5">
        <h2 className="text-section font-semibold">Still curious?</h2>
        {suggestions.length > 0 && (
          <ul aria-label="Suggested questions" className="grid gap-1.5">
            {suggestions.slice(0, maxSuggestions).map((question) => (
              <li key={question}>
                <Button type="button" variant="link" data-sitelore-ask={question}>
                  {question}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Button type="button" variant="primary" data-sitelore-ask="">
          <MessageCircle aria-hidden="true" />
          Ask your own question
        </Button>
        <noscript>Asking needs JavaScript.</noscript>
      </div>
      <script src="/widget.js" data-key={publicKey} async nonce={nonce} />
    </Card>
  )
}

const maxSuggestions = 3

interface SharedMessageProps {
  threadId: string
  message: SharedMessageView
  /** Whether the title of the page shows it. */
  isTitle: boolean
}

function SharedMessage({ threadId, message, isTitle }: SharedMessageProps) {
  const note = message.status_message
  if (isTitle && !note) return null
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
      <SharedSources threadId={threadId} sources={message.sources} />
    </article>
  )
}
