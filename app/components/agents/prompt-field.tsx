import { ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { defaultSystemPrompt } from '../../../contract/texts/chat/system-prompt'
import { lengths } from '../../../contract/values/limits'
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
        hint={`At most ${formatCount(lengths.systemPromptField)} characters here, and ${formatCount(lengths.systemPrompt)} over the API. Instructions for sources and citations are always added.`}
        placeholder="If empty, the default prompt applies: answer from the fragments only, and cite the sources."
      />
      <details className="group">
        <summary className="inline-flex items-center gap-1 rounded-small text-meta text-accent-strong hover:underline">
          <ChevronRight className="size-4 group-open:rotate-90" aria-hidden="true" />
          Default system prompt
        </summary>
        <div className="mt-2 grid justify-items-start gap-3 rounded-small bg-sunken p-3">
          <p className="whitespace-pre-line break-words text-meta">{defaultSystemPrompt}</p>
          <Button type="button" className="needs-script" onClick={startFromDefault}>
            Start from the default
          </Button>
        </div>
      </details>
    </div>
  )
}
