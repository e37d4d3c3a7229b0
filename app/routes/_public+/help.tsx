import type { LoaderFunctionArgs } from '@remix-run/node'
import { NavLink, Outlet, useLoaderData } from '@remix-run/react'
import { type HelpGroup, helpGroups } from '../../components/help/groups'
import { HelpSearch } from '../../components/help/help-search'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { visitor } from '../../http/session/page.server'

export const handle = { scriptless: true }

export async function loader({ context, request }: LoaderFunctionArgs) {
  return {
    user: await visitor(context, request),
    year: new Date().getFullYear(),
    signUp: context.settings.signUp,
    groups: helpGroups(context.services.manual.list()),
    query: new URL(request.url).searchParams.get('q') ?? '',
  }
}

export default function Help() {
  const { user, year, signUp, groups, query } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} signUp={signUp} />
      <div className="mx-auto grid w-full max-w-6xl flex-1 content-start gap-x-10 gap-y-4 px-4 py-6 sm:px-6 md:grid-cols-[210px_minmax(0,1fr)] md:py-10">
        <div className="grid content-start gap-4">
          <HelpSearch query={query} />
          <details className="rounded-medium border border-line bg-surface md:hidden">
            <summary className="px-4 py-2.5 font-medium">All pages</summary>
            <Contents groups={groups} className="px-2 pb-3" />
          </details>
          <nav aria-label="Manual" className="hidden md:block">
            <Contents groups={groups} />
          </nav>
        </div>
        <main id="main" className="min-w-0 text-read">
          <Outlet />
        </main>
      </div>
      <PublicFooter year={year} />
    </div>
  )
}

function Contents({ groups, className }: { groups: HelpGroup[]; className?: string }) {
  return (
    <div className={className}>
      {groups.map(({ title, pages }) => (
        <section key={title} className="mb-4">
          <h2 className="px-2.5 pb-1 text-meta font-semibold text-soft">{title}</h2>
          <ul className="grid gap-px">
            {pages.map((page) => (
              <li key={page.to}>
                <NavLink
                  to={page.to}
                  end
                  className="block rounded-small px-2.5 py-1 text-soft no-underline hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong"
                >
                  {page.title}
                </NavLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
