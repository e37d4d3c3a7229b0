import { useRef } from 'react'
import { lengths } from '../../../contract/limits'
import { defaultSystemPrompt } from '../../../contract/texts/system-prompt'
import { Button } from '../ui/button'
import { formatCount } from '../ui/format'
import { type FormField, TextField } from '../ui/forms/field'

/** The system prompt, with the default one that applies without it. */
export function PromptField({ field }: { field: FormField }) {
  const scope = useRef<HTMLDivElement>(null)

  function startFromDefault() {
    const control = scope.current?.querySelector('textarea')
    if (!control) return
    control.value = defaultSystemPrompt
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.focus()
  }

  return (
    <div ref={scope} className="grid gap-2">
      <TextField
        field={field}
        label="System prompt"
        rows={8}
        maxLength={lengths.systemPromptField}
        hint={`At most ${formatCount(lengths.systemPrompt)} characters. How sources are passed and cited is added in any case.`}
        placeholder="If empty, the default prompt applies: answer from the fragments only, and cite the sources."
      />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <Button type="button" look="quiet" className="needs-script" onClick={startFromDefault}>
          Start from the default
        </Button>
        <details className="min-w-0 flex-1 basis-64">
          <summary className="inline-block rounded-small py-1.5 text-small font-[550] text-soft hover:text-text">
            Default prompt
          </summary>
          <p className="mt-1 whitespace-pre-line break-words rounded-small bg-sunken p-3 text-small">
            {defaultSystemPrompt}
          </p>
        </details>
      </div>
    </div>
  )
}
