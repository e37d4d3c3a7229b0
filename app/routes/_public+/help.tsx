import type { LoaderFunctionArgs } from '@remix-run/node'
import { NavLink, Outlet, useLoaderData } from '@remix-run/react'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { visitor } from '../../http/session/page.server'
import { paths } from '../../paths'

export const handle = { scriptless: true }

export async function loader({ context, request }: LoaderFunctionArgs) {
  return {
    user: await visitor(context, request),
    year: new Date().getFullYear(),
    pages: context.services.manual.list(),
  }
}

export default function Help() {
  const { user, year, pages } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} />
      <div className="mx-auto grid w-full max-w-6xl flex-1 content-start gap-x-10 gap-y-6 px-4 py-8 sm:px-6 md:grid-cols-[200px_minmax(0,1fr)] md:py-10">
        <details className="rounded-medium border border-line bg-surface md:hidden">
          <summary className="px-4 py-2.5 font-[570]">Contents</summary>
          <Contents pages={pages} className="px-2 pb-2" />
        </details>
        <nav aria-label="Manual" className="hidden md:block">
          <Contents pages={pages} className="sticky top-6" />
        </nav>
        <main id="main" className="min-w-0 max-w-[72ch] text-read">
          <Outlet />
        </main>
      </div>
      <PublicFooter year={year} />
    </div>
  )
}

function Contents({ pages, className }: { pages: { name: string; title: string }[]; className: string }) {
  return (
    <ul className={`grid gap-0.5 ${className}`}>
      {pages.map((page) => (
        <li key={page.name}>
          <NavLink
            to={paths.help(page.name)}
            end
            className="block rounded-small px-2.5 py-1.5 font-medium text-soft no-underline hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
          >
            {page.title}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
