import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { PublicFooter } from '../../components/public-footer'
import { PublicHeader } from '../../components/public-header'
import { terms } from '../../components/terms-text'
import { visitor } from '../../http/session/page.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [
  { title: `Terms of Service · ${product.name}` },
  { name: 'description', content: `The terms under which ${product.name} is provided.` },
]

export const handle = { scriptless: true }

export async function loader({ context, request }: LoaderFunctionArgs) {
  return {
    user: await visitor(context, request),
    year: new Date().getFullYear(),
    signUp: context.settings.signUp,
  }
}

export default function Terms() {
  const { user, year, signUp } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicHeader user={user} signUp={signUp} />
      <main id="main" className="prose mx-auto w-full max-w-3xl flex-1 px-4 py-12 text-read sm:px-6">
        <h1>Terms of Service</h1>
        <ol className="!list-none !p-0">
          {terms.map((section, index) => (
            <li key={section.title}>
              <h2 className="mt-8">
                {index + 1}. {section.title}
              </h2>
              {section.text.map((paragraph) => (
                <p key={paragraph} className="mt-2">
                  {paragraph}
                </p>
              ))}
            </li>
          ))}
        </ol>
      </main>
      <PublicFooter year={year} />
    </div>
  )
}
