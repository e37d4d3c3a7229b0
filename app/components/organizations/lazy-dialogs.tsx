import { useSearchParams } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { lazyComponent } from '../ui/lazy-component'

const OrganizationDialogs = lazyComponent(async () => (await import('./organization-dialogs')).OrganizationDialogs)

const names = ['organization', 'provider-key', 'delete-organization', 'new-organization', 'leave']

/** The dialogs of the organization, loaded when one opens. */
export function LazyOrganizationDialogs(props: ComponentProps<typeof OrganizationDialogs>) {
  const [search] = useSearchParams()
  return names.includes(search.get('dialog') ?? '') ? <OrganizationDialogs {...props} /> : null
}
