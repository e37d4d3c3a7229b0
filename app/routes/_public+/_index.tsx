import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { LandingAnswer } from '../../components/landing-answer'
import { landingNotifications } from '../../components/notifications/landing'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { buttonClasses } from '../../components/ui/button'
import { visitor } from '../../http/session/page.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [
  { title: `${product.name}: vector database from your website` },
  { name: 'description', content: product.description },
]

export const handle = { scriptless: true }

export async function loader({ context, request }: LoaderFunctionArgs) {
  const login = await context.identity.takeLoginFailure(request)
  const loaded = {
    user: await visitor(context, request),
    year: new Date().getFullYear(),
    signUp: context.settings.signUp,
    notifications: landingNotifications(new URL(request.url).searchParams, login?.failure ?? null),
  }
  return data(loaded, login ? { headers: { 'Set-Cookie': login.setCookie } } : {})
}

const features = [
  {
    title: 'Automatic Vectorization',
    text: 'Your website becomes a vector database with one push of a button. Sitelore crawls your pages, splits them into fragments and embeds them.',
    icon: 'M3 6h10M3 12h18M3 18h7',
  },
  {
    title: 'Indexing + API',
    text: 'Index with one click and use the API that comes with it. Up to 2 000 pages for free, without programming or configuration.',
    icon: 'm8 6-5 6 5 6M16 6l5 6-5 6',
  },
  {
    title: 'Semantic Search Included',
    text: 'Ask questions in a chat. Every answer cites its pages.',
    icon: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5 12 5 5',
  },
] as const

export default function Landing() {
  const { user, year, signUp } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} signUp={signUp} />
      <main id="main" className="mx-auto w-full max-w-6xl flex-1 px-4 py-10 sm:px-6 sm:py-16">
        <div className="grid items-center gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.02fr)] lg:gap-14">
          <div>
            <h1 className="text-balance text-[2.25rem] font-semibold leading-[1.1] tracking-tight sm:text-[2.75rem]">
              Vector database from your website with just a few clicks
            </h1>
            <p className="mt-5 text-lead leading-relaxed text-soft">
              Enter a site. {product.name} reads it, adds semantic search, and answers questions with{' '}
              <mark>the sentence that proves it</mark>.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              {user ? (
                <Link to={paths.dashboard()} className={buttonClasses('primary', '!px-5 !py-2.5 text-read')}>
                  Open the dashboard
                </Link>
              ) : (
                <Link
                  to={paths.signUp()}
                  reloadDocument
                  className={buttonClasses('primary', '!px-5 !py-2.5 text-read')}
                >
                  Get started
                </Link>
              )}
              <Link to={paths.help()} className={buttonClasses('plain', '!px-5 !py-2.5 text-read')}>
                Read the manual
              </Link>
            </div>
            <p className="mt-3.5 text-meta text-soft">Runs on your own server.</p>
          </div>
          <LandingAnswer />
        </div>
        <ul className="mt-16 grid gap-4 md:grid-cols-3">
          {features.map((feature) => (
            <li key={feature.title} className="rounded-large border border-line bg-surface p-6 shadow-low">
              <span className="grid size-11 place-items-center rounded-medium bg-accent-soft text-accent-strong">
                <svg
                  viewBox="0 0 24 24"
                  className="size-6"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="1.75"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                  aria-hidden="true"
                >
                  <path d={feature.icon} />
                </svg>
              </span>
              <h2 className="mt-4 text-[1.0625rem] font-semibold">{feature.title}</h2>
              <p className="mt-1.5 text-read text-soft">{feature.text}</p>
            </li>
          ))}
        </ul>
      </main>
      <PublicFooter year={year} />
    </div>
  )
}
