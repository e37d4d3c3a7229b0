import { Form, Link, useSearchParams } from '@remix-run/react'
import { Moon, Smartphone, Sun } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isWidgetText, widgetAttributes, widgetSnippet } from '../../../contract/texts/widget-snippet'
import type { AgentView } from '../../../contract/views/chat/agent'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { classes } from '../ui/classes'
import { CodeBlock } from '../ui/code-block'
import { ColorField } from './color-field'
import { LogoField, LogoForm } from './logo-field'
import { WidgetChoiceFields, WidgetTextField, widgetField, widgetFormId } from './widget-option-fields'
import { WidgetPreview } from './widget-preview'

interface WidgetSettingsProps {
  agent: Pick<AgentView, 'id' | 'logo' | 'suggestions'>
  publicKey: string
  publicUrl: string
  /** What follows the tag. */
  children: ReactNode
}

/** Questions that the widget shows. */
const maxQuestions = 3

/**
 * The options of the widget, the tag for the website, and the widget with these options beside them. Without a script, the
 * form loads the page with the new tag.
 */
export function WidgetSettings({ agent, publicKey, publicUrl, children }: WidgetSettingsProps) {
  const [search] = useSearchParams()
  const [options, setOptions] = useState(() => Object.fromEntries(search))
  const attributes = widgetAttributes((name) => options[name] ?? null)
  function update(event: FormEvent<HTMLFormElement>) {
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    setOptions(Object.fromEntries(fields))
  }
  const questions = agent.suggestions?.slice(0, maxQuestions) ?? []
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_452px]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <LogoForm agentId={agent.id} />
        <Form id={widgetFormId} method="get" preventScrollReset onInput={update} className="grid gap-5">
          <Card>
            <CardHead title="Look" />
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
              <ColorField
                field={widgetField('color', options, colorProblem(options.color))}
                color={options.color ?? ''}
                choose={(color) => setOptions({ ...options, color })}
              />
              <LogoField agentId={agent.id} logo={agent.logo ?? null} />
              <WidgetTextField options={options} name="title" label="Title" placeholder="Ask a question" />
              <WidgetTextField
                options={options}
                name="greeting"
                label="Greeting"
                placeholder="What would you like to know?"
              />
              <section aria-label="Suggested questions" className="grid gap-1">
                <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <h3 className="font-medium">Suggested questions</h3>
                  <Link to={paths.agentSettings(agent.id)} className="text-meta text-accent-strong hover:underline">
                    Edit in Agent Settings
                  </Link>
                </div>
                {questions.length > 0 ? (
                  <ul className="grid gap-1 text-soft">
                    {questions.map((question) => (
                      <li key={question} className="break-words">
                        {question}
                      </li>
                    ))}
                  </ul>
                ) : (
                  <p className="text-meta text-soft">
                    None yet. They come from the headings of the collection, or from Agent Settings.
                  </p>
                )}
              </section>
            </div>
          </Card>
          <Card>
            <CardHead title="Behaviour" />
            <div className="grid gap-4 p-4 sm:grid-cols-2">
              <WidgetChoiceFields options={options} />
              <WidgetTextField
                options={options}
                name="contact"
                label="Contact"
                placeholder="https://www.example.com/contact"
                hint="Offered as 'Leave a message' when no answer is found."
                problem="Enter an https or mailto link."
              />
              <noscript>
                <Button>Update the tag</Button>
              </noscript>
            </div>
          </Card>
        </Form>
        <Card>
          <CardHead title="Put it on your site">
            <a href={paths.help('widget')} className="text-meta text-accent-strong hover:underline">
              Manual
            </a>
          </CardHead>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
            <p className="text-soft">Put this tag into the pages of your website, before the end of the body.</p>
            <CodeBlock label="Snippet" code={widgetSnippet(publicUrl, publicKey, attributes)} />
          </div>
        </Card>
        {children}
      </div>
      <Preview agentId={agent.id} publicKey={publicKey} attributes={attributes} />
    </div>
  )
}

interface PreviewProps {
  agentId: string
  publicKey: string
  attributes: Record<string, string>
}

function Preview({ agentId, publicKey, attributes }: PreviewProps) {
  const [theme, setTheme] = useState<'light' | 'dark' | null>(null)
  const [isNarrow, setIsNarrow] = useState(false)
  const isDark = theme === 'dark'
  return (
    <section aria-label="Preview" className="grid grid-cols-[minmax(0,1fr)] gap-2 xl:sticky xl:top-4">
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
        <h2 className="mr-auto text-section font-semibold">Preview</h2>
        <Button
          type="button"
          variant="quiet"
          className="needs-script !p-1.5"
          aria-label={isDark ? 'Show it in light' : 'Show it in dark'}
          onClick={() => setTheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
        </Button>
        <Button
          type="button"
          variant="quiet"
          className="needs-script !p-1.5"
          aria-label="Show it as wide as a phone"
          aria-pressed={isNarrow}
          onClick={() => setIsNarrow(!isNarrow)}
        >
          <Smartphone aria-hidden="true" />
        </Button>
        <Link
          to={`${paths.agentChatWidget(agentId)}?${new URLSearchParams(attributes)}`}
          className="ml-1 text-meta text-accent-strong hover:underline"
        >
          Try it in Chat Widget
        </Link>
      </div>
      <noscript>The widget needs JavaScript.</noscript>
      <div className={classes('w-full justify-self-center', isNarrow && 'max-w-[360px]')}>
        <WidgetPreview publicKey={publicKey} attributes={theme ? { ...attributes, theme } : attributes} opens />
      </div>
      <p className="text-meta text-soft">This is the real widget. Answers count as visitor messages.</p>
    </section>
  )
}

function colorProblem(color: string | undefined): string[] | undefined {
  const value = color?.trim() ?? ''
  return value === '' || isWidgetText('color', value) ? undefined : ['Enter a color such as #7a3e00.']
}
