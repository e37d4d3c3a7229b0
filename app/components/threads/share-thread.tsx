import { useNavigation } from '@remix-run/react'
import { Share2 } from 'lucide-react'
import type { ThreadView } from '../../../contract/views/chat/thread'
import { CopyButton } from '../copy-button'
import { Button } from '../ui/button'
import { OrganizationForm } from '../ui/forms/organization-form'

export interface SharedThread extends Pick<ThreadView, 'id' | 'published_at'> {
  /** The address under which everybody can read the thread once it is shared. */
  url: string
}

/** Shares a thread; once it is shared, copies its link and ends the sharing. */
export function ShareThread({ thread }: { thread: SharedThread }) {
  const { state, formData } = useNavigation()
  const pending = state === 'submitting' && String(formData?.get('intent')).endsWith('share-thread')
  const isShared = thread.published_at !== null
  return (
    <>
      <OrganizationForm preventScrollReset replace>
        <input type="hidden" name="thread" value={thread.id} />
        <Button name="intent" value={isShared ? 'unshare-thread' : 'share-thread'} variant="quiet" pending={pending}>
          <Share2 aria-hidden="true" />
          {isShared ? 'Stop sharing' : 'Share'}
        </Button>
      </OrganizationForm>
      {/* After the form: a double click on Share must not reach Stop sharing. */}
      {isShared && <CopyButton text={thread.url} label="Copy link" variant="quiet" />}
    </>
  )
}
