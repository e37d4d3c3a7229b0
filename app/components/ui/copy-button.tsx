import { Copy } from 'lucide-react'
import { useToast } from '../notifications/context'
import { Button } from './button'
import { classes } from './classes'

/** Copies text and shows whether that worked. */
export function CopyButton({ text, label = 'Copy', small = true }: { text: string; label?: string; small?: boolean }) {
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
      look="quiet"
      className={classes('needs-script', small && '!px-2 !py-0.5 text-small')}
      onClick={copy}
    >
      <Copy aria-hidden="true" />
      {label}
    </Button>
  )
}
