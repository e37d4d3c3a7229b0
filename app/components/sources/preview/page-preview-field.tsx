import { useId, useRef } from 'react'
import type { PagePreview, PageReading } from '../../../../contract/views/preview'
import { Button, Spinner } from '../../ui/button'
import { Notice } from '../../ui/feedback/notice'
import { formatCounted } from '../../ui/format'
import { controlClasses } from '../../ui/forms/field'
import { usePagePreview } from './use-page-preview'

/** Previews one page without and with the selectors of the surrounding form. */
export function PagePreviewField() {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { preview, start } = usePagePreview()
  const isRunning = preview?.phase === 'running'

  function compare() {
    const { form, value } = field.current ?? {}
    if (form && value !== undefined) start(form, value.trim())
  }

  return (
    <div className="needs-script grid gap-3 sm:col-span-2">
      <div className="grid gap-1">
        <label htmlFor={id} className="font-medium">
          Try on a page
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            ref={field}
            id={id}
            type="url"
            placeholder="https://example.com/docs/start"
            aria-describedby={`${id}-hint`}
            className={`${controlClasses} min-w-0 flex-1 basis-60`}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter would send the surrounding form.
              event.preventDefault()
              compare()
            }}
          />
          <Button type="button" onClick={compare}>
            {isRunning && <Spinner />}
            Compare
          </Button>
        </div>
        <p id={`${id}-hint`} className="text-meta text-soft">
          Shows the text of this page without and with the selectors. Nothing is stored.
        </p>
      </div>
      <div role="status">
        {preview?.phase === 'failed' && <Problems problems={preview.problems} />}
        {preview?.phase === 'done' && <Comparison preview={preview.result} />}
      </div>
    </div>
  )
}

function Problems({ problems }: { problems: string[] }) {
  const [only, ...others] = problems
  if (only !== undefined && others.length === 0) return <Notice kind="danger" title={only} />
  return (
    <Notice kind="danger" title="The page was not previewed">
      <ul className="list-disc pl-4">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  )
}

function Comparison({ preview }: { preview: PagePreview }) {
  const { message, before, after } = preview
  if (message !== null && before.fragments.length === 0) return <Notice kind="warning" title={message} />
  return (
    <div className="grid gap-3">
      {message !== null && <Notice kind="warning" title={message} />}
      <div className="grid gap-3 md:grid-cols-2">
        <Reading title="Before" reading={before} />
        <Reading title="After" reading={after} />
      </div>
    </div>
  )
}

function Reading({ title, reading: { words, fragments } }: { title: string; reading: PageReading }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-small border border-line">
      <h3 className="flex flex-wrap justify-between gap-x-3 border-line border-b bg-sunken px-3 py-2 font-medium">
        {title}
        <span className="font-normal text-meta text-soft">
          {formatCounted(words, 'word')}, {formatCounted(fragments.length, 'fragment')}
        </span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <ol tabIndex={0} aria-label={`${title}, fragments`} className="grid max-h-80 gap-3 overflow-auto px-3 py-2">
        {fragments.map((fragment) => (
          <li key={fragment.headings.join('/') + fragment.text}>
            {fragment.headings.length > 0 && <p className="text-meta text-soft">{fragment.headings.join(' / ')}</p>}
            <p className="whitespace-pre-line break-words">{fragment.text}</p>
          </li>
        ))}
        {fragments.length === 0 && <li className="text-soft">No text. Choose another selector.</li>}
      </ol>
    </section>
  )
}
