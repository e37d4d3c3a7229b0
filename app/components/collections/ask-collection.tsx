import { useNavigation } from '@remix-run/react'
import { MessageSquare } from 'lucide-react'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { OrganizationForm } from '../ui/forms/organization-form'

/** Opens the chat with an agent that answers from the collection; the first time, this creates the agent. */
export function AskCollection({ id }: { id: string }) {
  const { formData } = useNavigation()
  return (
    <OrganizationForm action={`${paths.dashboard()}?index`}>
      <input type="hidden" name="collection" value={id} />
      <Button name="intent" value="ask" pending={formData?.get('intent') === 'ask'}>
        <MessageSquare aria-hidden="true" />
        Open the chat
      </Button>
    </OrganizationForm>
  )
}
