import { Eye, Square } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import type { usePreview } from './use-preview'

interface PreviewButtonProps {
  control: Pick<ReturnType<typeof usePreview>, 'preview' | 'start' | 'stop'>
  form: RefObject<HTMLFormElement>
  className?: string
}

/** Starts a preview of the form, or stops the running one. */
export function PreviewButton({ control: { preview, start, stop }, form, className }: PreviewButtonProps) {
  const running = preview?.phase === 'running'
  return (
    <Button
      type="button"
      className={classes('needs-script', className)}
      onClick={() => (running ? stop() : form.current && start(form.current))}
    >
      {running ? <Square aria-hidden="true" /> : <Eye aria-hidden="true" />}
      {running ? 'Stop' : <span>Preview{preview && <span className="max-sm:sr-only"> again</span>}</span>}
    </Button>
  )
}
