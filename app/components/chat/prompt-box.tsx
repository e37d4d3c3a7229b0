import { Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { lengths } from '../../../contract/values/limits'
import { paths } from '../../paths'
import { useNotify } from '../notifications/context'
import { useHydrated } from '../ui/browser/use-hydrated'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'
import { ShownOrganizationInput } from '../ui/forms/organization-form'
import { chatFailure } from './chat-failures'

interface PromptBoxProps {
  agentId: string
  threadId: string | null
  /** The agent's limit, in characters. */
  maxLength: number
  busy: boolean
  send: (prompt: string) => void
  stop: () => void
}

/** Enter sends, Shift+Enter adds a line. Without a script the form waits for the complete answer. */
export function PromptBox({ agentId, threadId, maxLength, busy, send, stop }: PromptBoxProps) {
  const [text, setText] = useState('')
  const hydrated = useHydrated()
  const notify = useNotify()
  const field = useRef<HTMLTextAreaElement>(null)
  const limit = Math.min(maxLength, lengths.chatPrompt)
  const isTooLong = text.length > limit

  function submit(event: FormEvent) {
    event.preventDefault()
    const prompt = text.trim()
    if (busy || isTooLong) return
    if (!prompt) {
      notify(chatFailure({ status: 400 }))
      field.current?.focus()
      return
    }
    setText('')
    send(prompt)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Input methods use Enter to confirm a composition.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <form
      method="post"
      action={paths.agentChat(agentId)}
      onSubmit={submit}
      className="prompt-box sticky bottom-0 bg-surface px-3 pb-3 max-sm:p-2 sm:px-6 sm:pb-4"
    >
      <ShownOrganizationInput />
      <div className="mx-auto grid max-w-[752px] gap-1 rounded-medium border border-line-strong bg-surface p-2 has-[textarea:focus-visible]:border-accent has-[textarea:focus-visible]:outline has-[textarea:focus-visible]:outline-accent">
        {threadId && <input type="hidden" name="threadId" value={threadId} />}
        <textarea
          ref={field}
          name="prompt"
          rows={2}
          required={!hydrated}
          value={hydrated ? text : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          placeholder="Ask about your data"
          aria-label="Message"
          aria-describedby="prompt-count"
          aria-invalid={isTooLong || undefined}
          className="field-sizing-content max-h-60 min-h-[3.4em] w-full resize-none bg-transparent px-2 py-1.5 text-read outline-none max-sm:text-[1rem]"
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pl-2">
          <span className="needs-script text-meta text-soft max-sm:hidden">Enter sends, Shift+Enter adds a line</span>
          <span
            id="prompt-count"
            className={classes('needs-script ml-auto text-meta tabular-nums', isTooLong ? 'text-danger' : 'text-soft')}
          >
            {text.length} / {limit}
          </span>
          {busy ? (
            <Button key="stop" type="button" onClick={stop}>
              <Square aria-hidden="true" />
              Stop
            </Button>
          ) : (
            <Button key="send" variant="primary" disabled={isTooLong}>
              Send message
            </Button>
          )}
        </div>
      </div>
    </form>
  )
}
