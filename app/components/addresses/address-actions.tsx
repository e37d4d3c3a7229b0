import { CircleSlash, Download, ExternalLink, RotateCw } from 'lucide-react'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { AddressView } from '../../../contract/views/address'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { buttonClasses } from '../ui/button'
import { IntentButton } from '../ui/menus/intent-button'
import { type RowAction, RowMenu } from '../ui/menus/row-menu'
import { ActionsCell } from '../ui/tables/table'

interface AddressActionsProps {
  address: AddressView
  mayEdit: boolean
}

/** The actions of a row: Retry, and a menu with the others. */
export function AddressActions({ address, mayEdit }: AddressActionsProps) {
  const name = nameOf(address)
  return (
    <ActionsCell>
      <RetryAddress address={address} mayEdit={mayEdit} className={buttonClasses('quiet', 'on-demand')} />
      <RowMenu
        name={name}
        id={address.id}
        actions={[
          {
            kind: 'intent',
            word: 'Ignore',
            label: `Ignore ${name}`,
            icon: CircleSlash,
            intent: 'ignore-address',
            reason: whyNotIgnore(address, mayEdit),
          },
          openAction(address),
        ]}
      />
    </ActionsCell>
  )
}

interface RetryAddressProps extends AddressActionsProps {
  className?: string
}

export function RetryAddress({ address, mayEdit, className = buttonClasses() }: RetryAddressProps) {
  return (
    <IntentButton
      id={address.id}
      intent="retry-address"
      icon={RotateCw}
      label={`Retry ${nameOf(address)}`}
      reason={whyNotRetry(address, mayEdit)}
      className={className}
    >
      Retry
    </IntentButton>
  )
}

/** For the head of the address's own page. */
export function IgnoreAddress({ address, mayEdit }: AddressActionsProps) {
  return (
    <IntentButton
      id={address.id}
      intent="ignore-address"
      icon={CircleSlash}
      label={`Ignore ${nameOf(address)}`}
      reason={whyNotIgnore(address, mayEdit)}
      className={buttonClasses()}
    >
      Ignore
    </IntentButton>
  )
}

function openAction(address: AddressView): RowAction {
  if (isWeb(address.url)) {
    const label = `Open page ${nameOf(address)} in a new tab`
    return { kind: 'page', word: 'Open page', label, icon: ExternalLink, href: address.url }
  }
  const href = paths.sourceFile(address.collection_id, address.source_id)
  return { kind: 'download', word: 'Download', label: `Download ${address.url}`, icon: Download, href }
}

function nameOf({ meta_title: title, url }: AddressView): string {
  return title || url
}

function whyNotRetry({ status }: AddressView, mayEdit: boolean): string | null {
  if (!mayEdit) return reasons.viewer
  return status === 'pending' || status === 'crawling' ? 'This address is already being fetched.' : null
}

function whyNotIgnore({ ignored }: AddressView, mayEdit: boolean): string | null {
  if (!mayEdit) return reasons.viewer
  return ignored ? 'This address is already ignored. Retry fetches it again.' : null
}
