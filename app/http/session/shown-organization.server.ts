import { AppError } from '../../../server/errors'
import { shownOrganizationField } from '../../components/ui/forms/organization-form'

/** A request from a page that does not show the selected organization, or does not say which one it shows. */
export class StalePageError extends AppError {}

/**
 * Checks the organization that a request names as the one its page shows. Throws conflict if another one is selected,
 * and invalid_input if the request names none.
 */
export function assertShown(shown: unknown, selectedId: string): void {
  const details = { title: 'Nothing was changed' }
  if (typeof shown !== 'string' || shown === '') {
    const message = 'The page does not name its organization. Reload it.'
    throw new StalePageError('invalid_input', message, { details })
  }
  if (shown !== selectedId)
    throw new StalePageError('conflict', 'You switched to another organization. Reload the page.', { details })
}

/** Checks the field of a form like `assertShown`, and removes it. */
export function takeShown(form: FormData, selectedId: string): void {
  assertShown(form.get(shownOrganizationField), selectedId)
  form.delete(shownOrganizationField)
}

/** Checks the field of a body like `assertShown`. Returns the other fields. */
export function withoutShown(body: Record<string, unknown>, selectedId: string): Record<string, unknown> {
  const { [shownOrganizationField]: shown, ...fields } = body
  assertShown(shown, selectedId)
  return fields
}
