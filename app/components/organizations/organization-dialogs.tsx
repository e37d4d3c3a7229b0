import { useSearchParams } from '@remix-run/react'
import { paths } from '../../paths'
import { withoutDialog } from '../ui/browser/query'
import { DeleteOrganizationDialog } from './delete-organization-dialog'
import { LeaveOrganization } from './leave-organization'
import { NewOrganizationDialog } from './new-organization-dialog'
import { OrganizationDialog, type OrganizationDialogProps } from './organization-dialog'
import { ProviderKeyDialog } from './provider-key-dialog'

interface OrganizationDialogsProps extends Pick<OrganizationDialogProps, 'organization' | 'actionData'> {
  /** Null for people who are not administrators. */
  providers: OrganizationDialogProps['providers'] | null
  isLastAdministrator: boolean
}

/** The dialogs of the organization, which open on every page of the dashboard. */
export function OrganizationDialogs({
  organization,
  providers,
  isLastAdministrator,
  actionData,
}: OrganizationDialogsProps) {
  const [search] = useSearchParams()
  const closeTo = withoutDialog(search)
  switch (search.get('dialog')) {
    case 'organization':
      return (
        providers && (
          <OrganizationDialog
            organization={organization}
            providers={providers}
            closeTo={closeTo}
            actionData={actionData}
          />
        )
      )
    case 'provider-key':
      return (
        providers && (
          <ProviderKeyDialog
            organization={organization}
            providers={providers}
            closeTo={closeTo}
            actionData={actionData}
          />
        )
      )
    case 'delete-organization':
      return (
        organization.abilities.delete && (
          <DeleteOrganizationDialog
            action={`${paths.dashboard()}?dialog=delete-organization`}
            name={organization.name}
            closeTo={closeTo}
            lastResult={actionData?.result}
          />
        )
      )
    case 'new-organization':
      return (
        <NewOrganizationDialog
          action={`${paths.dashboard()}?dialog=new-organization`}
          closeTo={closeTo}
          actionData={actionData}
        />
      )
    case 'leave':
      return !isLastAdministrator && <LeaveOrganization name={organization.name} closeTo={closeTo} />
    default:
      return null
  }
}
