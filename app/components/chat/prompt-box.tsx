import { Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { lengths } from '../../../contract/limits'
import { paths } from '../../paths'
import { useNotify } from '../notifications/context'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'
import { controlClasses } from '../ui/field'
import { useHydrated } from '../ui/hydrated'
import { chatFailure } from './chat-failures'

interface PromptBoxProps {
  agentId: string
  threadId: string | null
  /** The agent's own limit of characters. */
  maxLength: number
  busy: boolean
  send: (prompt: string) => void
  stop: () => void
}

/** Enter sends, Shift+Enter adds a line. Without a script the form waits for the whole answer. */
export function PromptBox({ agentId, threadId, maxLength, busy, send, stop }: PromptBoxProps) {
  const [text, setText] = useState('')
  const hydrated = useHydrated()
  const notify = useNotify()
  const field = useRef<HTMLTextAreaElement>(null)
  const limit = Math.min(maxLength, lengths.chatPrompt)
  const tooLong = text.length > limit

  function submit(event: FormEvent) {
    event.preventDefault()
    const prompt = text.trim()
    if (busy || tooLong) return
    if (!prompt) {
      notify(chatFailure(400))
      field.current?.focus()
      return
    }
    setText('')
    send(prompt)
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    // An input method uses Enter to choose a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <form
      method="post"
      action={paths.agentChat(agentId)}
      onSubmit={submit}
      className="prompt-box grid gap-2 border-t border-line p-3 sm:px-5"
    >
      {threadId && <input type="hidden" name="threadId" value={threadId} />}
      <textarea
        ref={field}
        name="prompt"
        rows={2}
        required={!hydrated}
        value={hydrated ? text : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
        placeholder="Ask about your data"
        aria-label="Message"
        aria-describedby="prompt-count"
        aria-invalid={tooLong || undefined}
        className={classes(controlClasses, 'resize-none !rounded-medium px-3 py-2.5 text-read')}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="needs-script text-small text-soft max-sm:hidden">Enter sends, Shift+Enter adds a line</span>
        <span
          id="prompt-count"
          className={classes('needs-script ml-auto text-small tabular-nums', tooLong ? 'text-danger' : 'text-soft')}
        >
          {text.length}/{limit}
        </span>
        {busy ? (
          <Button key="stop" type="button" onClick={stop}>
            <Square aria-hidden="true" />
            Stop
          </Button>
        ) : (
          <Button key="send" look="primary" disabled={tooLong}>
            Send message
          </Button>
        )}
      </div>
    </form>
  )
}
