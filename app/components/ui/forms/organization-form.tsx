import { Form, type FormProps } from '@remix-run/react'
import { createContext, forwardRef, useContext } from 'react'

/** The field that names the organization for which a form was rendered. */
export const shownOrganizationField = 'shown_organization_id'

const ShownOrganization = createContext<string | null>(null)

/** Its value is the id of the organization that the page shows. */
export const ShownOrganizationProvider = ShownOrganization.Provider

/** The id of the organization that the page shows. Null outside an organization. */
export function useShownOrganization(): string | null {
  return useContext(ShownOrganization)
}

/** The hidden field for forms that cannot be an `OrganizationForm`. */
export function ShownOrganizationInput() {
  const id = useShownOrganization()
  return id && <input type="hidden" name={shownOrganizationField} value={id} />
}

/**
 * A form that changes something in an organization. It names the one that the page shows, because another tab may have
 * selected another one since: the server then refuses the form.
 */
export const OrganizationForm = forwardRef<HTMLFormElement, Omit<FormProps, 'method'>>(function OrganizationForm(
  { children, ...props },
  ref,
) {
  return (
    <Form {...props} ref={ref} method="post">
      <ShownOrganizationInput />
      {children}
    </Form>
  )
})
