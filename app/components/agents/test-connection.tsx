import { useFetcher } from '@remix-run/react'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { ConnectionView, ProviderView } from '../../../contract/views/chat/agent'
import { useHydrated } from '../ui/browser/use-hydrated'
import { Button } from '../ui/button'
import { classes } from '../ui/classes'

interface TestConnectionProps {
  /** Null until a provider is chosen. */
  provider: ProviderView | null
  /** The address of the form, whose action handles the intent 'test-connection'. */
  action: string
  /** Result of a test that was sent without a script. */
  tested: ConnectionView | undefined
}

/** The address that requests go to, and a button that tests the form's provider, model and key without saving them. */
export function TestConnection({ provider, action, tested }: TestConnectionProps) {
  const fetcher = useFetcher<{ connection?: ConnectionView }>()
  const hydrated = useHydrated()
  const result = fetcher.data?.connection ?? tested
  const isTesting = fetcher.state !== 'idle'
  function test(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget
    if (!form) return
    const fields = new FormData(form)
    fields.set('intent', 'test-connection')
    fetcher.submit(fields, { method: 'post', action })
  }
  // Without a script, the provider may be chosen and tested at once.
  if (!provider) {
    return (
      <noscript>
        <TestButtons />
      </noscript>
    )
  }
  return (
    <div className="grid gap-2">
      <p className="text-meta text-soft">
        Endpoint: <span className="break-all font-mono">{provider.baseUrl}</span>
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {hydrated ? (
          <Button type="button" pending={isTesting} onClick={test}>
            Test connection
          </Button>
        ) : (
          <TestButtons />
        )}
      </div>
      <p
        role="status"
        className={classes(
          'flex items-center gap-2 rounded-medium px-3 py-2 font-medium empty:hidden',
          result?.ok ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
        )}
      >
        {!isTesting && result && (
          <>
            {result.ok ? (
              <CircleCheck className="size-4 shrink-0" aria-hidden="true" />
            ) : (
              <CircleAlert className="size-4 shrink-0" aria-hidden="true" />
            )}
            <span className="min-w-0 break-words">{result.message}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** The button without a script. Enter in a field uses the first submit button of the form, and must save it. */
function TestButtons() {
  return (
    <>
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
        Save
      </button>
      <Button name="intent" value="test-connection">
        Test connection
      </Button>
    </>
  )
}
