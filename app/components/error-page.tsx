import { isRouteErrorResponse, Link, useLocation, useRouteError } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { paths } from '../paths'
import { Brand } from './brand'
import { isNetworkError, untilReachable } from './ui/browser/network'
import { withoutDialog } from './ui/browser/query'
import { buttonClasses } from './ui/button'

const headings = [
  'Well, this is awkward.',
  'The hamster fell off its wheel.',
  'This page went out for a walk.',
  'Somebody tripped over a cable.',
  'Not our finest moment.',
  'Houston, we have an error page.',
]

/** Replaces all content of the document. */
export function ErrorPage() {
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-xl flex-col items-start justify-center gap-4 px-6 py-12">
      <Brand to={paths.landing()} />
      <ErrorReport />
    </main>
  )
}

/** An unexpected error, or the message of an AppError. */
export function ErrorReport() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const [heading] = useState(() => headings[Math.floor(Math.random() * headings.length)])
  const { title, message } = wordsOf(error)
  const isUnreached = isNetworkError(error)

  useEffect(() => {
    if (!isUnreached) return
    const wait = new AbortController()
    void untilReachable(wait.signal).then(() => {
      if (!wait.signal.aborted) window.location.reload()
    })
    return () => wait.abort()
  }, [isUnreached])

  return (
    <>
      <h1 className="text-display font-semibold tracking-tight" suppressHydrationWarning>
        {heading}
      </h1>
      <div role="alert" className="text-[1rem]">
        {title && <p className="font-medium">{title}</p>}
        <p className="text-soft">{message}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isConflict(error) ? (
          // Without the dialog, whose form is of what the page showed before.
          <a href={pathname + withoutDialog(new URLSearchParams(search))} className={buttonClasses('primary')}>
            Reload
          </a>
        ) : (
          <a href={pathname + search} className={buttonClasses('primary')}>
            Try again
          </a>
        )}
        <Link to={paths.dashboard()} className={buttonClasses()}>
          Dashboard
        </Link>
      </div>
    </>
  )
}

/** Whether the server refused what the page sent because the page is out of date. */
export function isConflict(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 409
}

function wordsOf(error: unknown): { title?: string; message: string } {
  if (isRouteErrorResponse(error)) {
    const body: unknown = error.data
    if (typeof body === 'string' && body) return { message: body }
    if (typeof body === 'object' && body !== null && 'message' in body) {
      const title = 'title' in body && typeof body.title === 'string' ? body.title : undefined
      return { title, message: String(body.message) }
    }
    return { message: error.statusText || `The server responded with status ${error.status}.` }
  }
  if (isNetworkError(error))
    return { title: "The server can't be reached.", message: 'Check your connection, then try again.' }
  return { message: error instanceof Error ? error.message : 'Something went wrong, try again later!' }
}
