import { Square } from 'lucide-react'
import { Button } from '../../ui/button'
import type { Upload } from './use-upload'

/** The button that stops a running upload; nothing while none runs. */
export function StopUpload({ upload }: { upload: Pick<Upload, 'sending' | 'stop'> }) {
  if (!upload.sending) return null
  return (
    <Button type="button" onClick={upload.stop}>
      <Square aria-hidden="true" />
      Stop
    </Button>
  )
}
