import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.page?.title ?? 'Page not found'} · Help · ${product.name}` },
  { name: 'description', content: data?.page?.description ?? product.description },
]

export function loader({ context, params }: LoaderFunctionArgs) {
  const page = context.services.manual.page(params.page ?? '')
  return data({ page }, { status: page ? 200 : 404 })
}

export default function ManualPage() {
  const { page } = useLoaderData<typeof loader>()
  if (!page) return <UnknownPage />
  const { html, sections } = page
  return (
    <div className="grid items-start gap-x-10 xl:grid-cols-[minmax(0,72ch)_minmax(0,1fr)]">
      {sections.length > 1 && (
        <nav aria-label="On this page" className="top-6 hidden xl:sticky xl:order-last xl:block">
          <p className="pb-1 text-meta font-semibold text-soft">On this page</p>
          <Sections sections={sections} />
        </nav>
      )}
      <div className="min-w-0 max-w-[72ch]">
        {sections.length > 1 && (
          <details className="mb-5 rounded-medium border border-line bg-surface xl:hidden">
            <summary className="px-4 py-2 text-base font-medium">On this page</summary>
            <div className="px-4 pb-3">
              <Sections sections={sections} />
            </div>
          </details>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the manual is part of the product, not user content. */}
        <article dangerouslySetInnerHTML={{ __html: html }} className="prose [&_pre]:whitespace-pre-wrap" />
      </div>
    </div>
  )
}

function Sections({ sections }: { sections: { id: string; title: string }[] }) {
  return (
    <ul className="grid gap-1 text-meta">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`} className="text-soft hover:text-text hover:underline">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

function UnknownPage() {
  return (
    <>
      <h1 className="text-title font-semibold tracking-tight">This page is not in the manual</h1>
      <p className="mt-2 text-soft">
        Its address may have changed. Search the manual, choose a page from the list, or{' '}
        <Link to={paths.help()} className="text-accent-strong underline">
          start at the beginning
        </Link>
        .
      </p>
    </>
  )
}
