import { Form, Link, useSearchParams } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import { widgetAttributes, widgetSnippet } from '../../../contract/texts/widget-snippet'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { CodeBlock } from '../ui/code-block'
import { WidgetOptionFields, widgetFormId } from './widget-option-fields'
import { WidgetPreview } from './widget-preview'

interface WidgetSnippetFormProps {
  agentId: string
  publicKey: string
  publicUrl: string
}

/**
 * The tag for the website, the options that change it, and the widget with these options. Without a script, the form loads
 * the page with the new tag.
 */
export function WidgetSnippetForm({ agentId, publicKey, publicUrl }: WidgetSnippetFormProps) {
  const [search] = useSearchParams()
  const [options, setOptions] = useState(() => Object.fromEntries(search))
  const attributes = widgetAttributes((name) => options[name] ?? null)
  function update(event: FormEvent<HTMLFormElement>) {
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    setOptions(Object.fromEntries(fields))
  }
  return (
    <Card label="Widget">
      <CardHead title="Widget">
        <a href={paths.help('widget')} className="text-meta text-accent-strong hover:underline">
          Manual
        </a>
      </CardHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <p className="text-soft">Put this tag into the pages of your website, before the end of the body.</p>
        <CodeBlock label="Snippet" code={widgetSnippet(publicUrl, publicKey, attributes)} />
        <Form id={widgetFormId} method="get" preventScrollReset onInput={update} className="grid gap-4 sm:grid-cols-2">
          <WidgetOptionFields options={options} />
          <noscript>
            <Button>Update the tag</Button>
          </noscript>
        </Form>
        <section aria-label="Preview" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="font-semibold">Preview</h3>
            <Link
              to={`${paths.agentChatWidget(agentId)}?${new URLSearchParams(attributes)}`}
              className="text-meta text-accent-strong hover:underline"
            >
              Try it in Chat Widget
            </Link>
          </div>
          <p className="text-meta text-soft">
            This is the real widget with the options above. Answers count as visitor messages.
          </p>
          <noscript>The widget needs JavaScript.</noscript>
          <WidgetPreview publicKey={publicKey} attributes={attributes} opens />
        </section>
      </div>
    </Card>
  )
}
