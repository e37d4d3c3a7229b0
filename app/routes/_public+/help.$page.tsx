import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? 'Help'} · ${product.name}` },
  { name: 'description', content: data?.description ?? product.description },
]

export function loader({ context, params }: LoaderFunctionArgs) {
  const page = context.services.manual.page(params.page ?? '')
  if (!page) throw redirect(paths.help())
  return page
}

export default function ManualPage() {
  const { html } = useLoaderData<typeof loader>()
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the manual is part of the product, not user content.
  return <article dangerouslySetInnerHTML={{ __html: html }} className="prose [&_pre]:whitespace-pre-wrap" />
}
