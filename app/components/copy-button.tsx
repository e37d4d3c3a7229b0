import { Copy } from 'lucide-react'
import { useToast } from './notifications/context'
import { Button, type ButtonVariant } from './ui/button'
import { classes } from './ui/classes'

/** Copies text and shows whether that worked. Small and quiet without a variant. */
export function CopyButton({
  text,
  label = 'Copy',
  variant,
}: {
  text: string
  label?: string
  variant?: ButtonVariant
}) {
  const toast = useToast()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast('success', 'Saved to clipboard')
    } catch {
      toast('danger', 'Failed to save to clipboard')
    }
  }
  return (
    <Button
      type="button"
      variant={variant ?? 'quiet'}
      className={classes('needs-script shrink-0', !variant && '!px-2 !py-0.5 text-meta')}
      onClick={copy}
    >
      <Copy aria-hidden="true" />
      {label}
    </Button>
  )
}
