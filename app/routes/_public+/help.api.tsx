import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { openApiDocument } from '../../../contract/api/openapi/openapi'
import { ExampleView } from '../../components/reference/example-view'
import { OperationView } from '../../components/reference/operation-view'
import { FieldList, TypeView } from '../../components/reference/type-view'
import { referenceOf } from '../../http/reference/reference.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [
  { title: `API reference · ${product.name}` },
  { name: 'description', content: 'Every call of the HTTP API with its parameters, bodies, responses and examples.' },
]

export function loader({ context }: LoaderFunctionArgs) {
  return referenceOf(openApiDocument(context.settings.publicUrl))
}

export default function ApiReference() {
  const { groups, objects } = useLoaderData<typeof loader>()
  return (
    <article className="prose max-w-[72ch]">
      <h1>API reference</h1>
      <p>
        Every call of the HTTP API, generated from <a href={paths.apiDescription()}>/v1/openapi.json</a>, which programs
        can read. <a href={paths.help('http-api')}>HTTP API</a> explains tokens, lists and errors;{' '}
        <a href={paths.help('http-keys')}>Keys</a> explains the keys of agents.
      </p>
      <p>
        The examples use variables: <code>TOKEN</code>, an access token; <code>ORG</code>, <code>COLLECTION</code> and{' '}
        <code>AGENT</code>, the ids of your organization, a collection and an agent; <code>PUBLIC_KEY</code> and{' '}
        <code>PRIVATE_KEY</code>, the keys of the agent. The JavaScript runs in Node.js 20 as a module.
      </p>
      <ul>
        {groups.map(({ name, anchor }) => (
          <li key={name}>
            <a href={`#${anchor}`}>{name}</a>
          </li>
        ))}
        <li>
          <a href="#objects">Objects</a>
        </li>
      </ul>
      {groups.map(({ name, anchor, description, operations, examples }) => (
        <section key={name} aria-labelledby={anchor} className="!mt-8 grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id={anchor}>{name}</h2>
          <p>{description}</p>
          <div>
            {operations.map((operation) => (
              <OperationView key={operation.id} operation={operation} />
            ))}
          </div>
          {examples.map((example) => (
            <ExampleView key={example.title} example={example} />
          ))}
        </section>
      ))}
      <section aria-labelledby="objects" className="!mt-8 grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="objects">Objects</h2>
        <p>
          The objects in bodies and responses. An error is a <a href="#Problem">Problem</a>; calls in OpenAI’s format
          return an <a href="#OpenAiError">OpenAiError</a>.
        </p>
        {objects.map(({ name, fields, type, isSent }) => (
          <div key={name}>
            <h3 id={name} className="!mt-3">
              {name}
            </h3>
            {fields ? <FieldList fields={fields} areSent={isSent} /> : <TypeView type={type} />}
          </div>
        ))}
      </section>
    </article>
  )
}
