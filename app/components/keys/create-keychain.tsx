import { useNavigation } from '@remix-run/react'
import { KeyRound } from 'lucide-react'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/feedback/empty-state'
import { OrganizationForm } from '../ui/forms/organization-form'

interface CreateKeychainProps {
  agentId: string
  mayCreate: boolean
  /** The page to return to; API Settings by default. */
  page?: 'widget' | 'demo-widget' | 'demo-search'
  /** What the page needs the keys for. */
  children: string
}

/** Replaces what needs the keys of an agent that has none, and offers to create them. */
export function CreateKeychain({ agentId, mayCreate, page, children }: CreateKeychainProps) {
  return (
    <EmptyState
      icon={KeyRound}
      title="No keychain created."
      action={mayCreate && <CreateKeychainForm agentId={agentId} page={page} />}
    >
      {children}
      {!mayCreate && ' Ask an administrator of your organization to create the keys.'}
    </EmptyState>
  )
}

export function CreateKeychainForm({ agentId, page }: Pick<CreateKeychainProps, 'agentId' | 'page'>) {
  const navigation = useNavigation()
  return (
    <OrganizationForm action={paths.agentApi(agentId)}>
      {page && <input type="hidden" name="page" value={page} />}
      <Button
        variant="primary"
        name="intent"
        value="create-keychain"
        pending={navigation.formData?.get('intent') === 'create-keychain'}
      >
        Create keys
      </Button>
    </OrganizationForm>
  )
}
