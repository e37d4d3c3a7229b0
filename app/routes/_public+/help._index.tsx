import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../paths'
import { product } from '../../product'

/** What is longer is no search. */
const maxQueryLength = 200

export const meta: MetaFunction = () => [
  { title: `Search · Help · ${product.name}` },
  { name: 'robots', content: 'noindex' },
]

/** The results of a search; opens the first page of the manual without one. */
export function loader({ context, request }: LoaderFunctionArgs) {
  const { manual } = context.services
  const query = (new URL(request.url).searchParams.get('q') ?? '').trim().slice(0, maxQueryLength)
  if (query !== '') return { query, hits: manual.search(query) }
  const [first] = manual.list()
  throw redirect(first ? paths.help(first.name) : paths.landing())
}

export default function HelpResults() {
  const { query, hits } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="break-words text-title font-semibold tracking-tight">Results for “{query}”</h1>
      {hits.length === 0 && (
        <p className="mt-3 text-soft">No section of the manual has all of these words. Try fewer or shorter ones.</p>
      )}
      <ul className="mt-4 grid max-w-[72ch] gap-5">
        {hits.map(({ page, section, title, excerpt }) => (
          <li key={`${page}#${section}`}>
            <Link
              to={paths.help(page) + (section === null ? '' : `#${section}`)}
              className="font-medium text-accent-strong hover:underline"
            >
              {title}
            </Link>
            <p className="mt-0.5 text-base text-soft">{excerpt}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
