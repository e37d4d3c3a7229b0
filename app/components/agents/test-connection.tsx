import { useFetcher } from '@remix-run/react'
import type { MouseEvent } from 'react'
import type { ConnectionView, ProviderView } from '../../../contract/views/agent'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'

interface TestConnectionProps {
  /** Null until a provider is chosen. */
  provider: ProviderView | null
  /** The address of the form, whose action handles the intent 'test-connection'. */
  action: string
}

/** The address that requests go to, and a button that tests the form's provider, model and key without saving them. */
export function TestConnection({ provider, action }: TestConnectionProps) {
  const fetcher = useFetcher<{ connection?: ConnectionView }>()
  const result = fetcher.data?.connection
  const isTesting = fetcher.state !== 'idle'
  function test(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget
    if (!form) return
    const fields = new FormData(form)
    fields.set('intent', 'test-connection')
    fetcher.submit(fields, { method: 'post', action })
  }
  if (!provider) return null
  return (
    <div className="grid gap-2">
      <p className="text-small text-soft">
        Requests go to <span className="break-all font-mono">{provider.baseUrl}</span>.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {/* Not of the type submit: Enter in a field of the form must save it. */}
        <Button type="button" className="needs-script" pending={isTesting} onClick={test}>
          Test connection
        </Button>
        <p role="status" className={classes('min-w-0 flex-1 basis-56', result?.ok ? 'text-success' : 'text-danger')}>
          {isTesting ? '' : result?.message}
        </p>
      </div>
    </div>
  )
}
