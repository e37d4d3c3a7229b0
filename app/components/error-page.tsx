import { isRouteErrorResponse, Link, useLocation, useRouteError } from '@remix-run/react'
import { useState } from 'react'
import { paths } from '../paths'
import { Brand } from './brand'
import { buttonClasses } from './ui/button'

const headings = [
  'Well, this is awkward.',
  'The hamster fell off its wheel.',
  'This page went out for a walk.',
  'Somebody tripped over a cable.',
  'Not our finest moment.',
  'Houston, we have an error page.',
]

/** Any error that no page expected, or a refusal of the services in their words. */
export function ErrorPage() {
  const error = useRouteError()
  const { pathname } = useLocation()
  const [heading] = useState(() => headings[Math.floor(Math.random() * headings.length)])
  return (
    <main id="main" className="mx-auto flex min-h-dvh max-w-xl flex-col items-start justify-center gap-4 px-6 py-12">
      <Brand to={paths.landing()} />
      <h1 className="text-display font-[650] tracking-tight" suppressHydrationWarning>
        {heading}
      </h1>
      <p className="text-[1rem] text-soft">{messageOf(error)}</p>
      <div className="flex flex-wrap gap-2">
        <a href={pathname} className={buttonClasses('primary')}>
          Try again
        </a>
        <Link to={paths.dashboard()} className={buttonClasses()}>
          Dashboard
        </Link>
      </div>
    </main>
  )
}

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    const body: unknown = error.data
    if (typeof body === 'string' && body) return body
    if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message)
    return error.statusText || `The server answered with ${error.status}.`
  }
  return error instanceof Error ? error.message : 'Something went wrong, try again later!'
}
