import { Pencil, Trash2 } from 'lucide-react'
import { AllowedLink } from './allowed'
import { withQuery } from './browser/query'

interface EditDeleteLinksProps {
  abilities: { edit: boolean; delete: boolean }
  /** Why a link is disabled. */
  reason: string
  search: URLSearchParams
}

/** The links in the head of a page that open its dialogs `edit` and `delete`. */
export function EditDeleteLinks({ abilities, reason, search }: EditDeleteLinksProps) {
  return (
    <>
      <AllowedLink
        allowed={abilities.edit}
        reason={reason}
        to={withQuery(search, { dialog: 'edit' })}
        variant="quiet"
        icon={Pencil}
      >
        Edit
      </AllowedLink>
      <AllowedLink
        allowed={abilities.delete}
        reason={reason}
        to={withQuery(search, { dialog: 'delete' })}
        variant="quiet-danger"
        icon={Trash2}
      >
        Delete
      </AllowedLink>
    </>
  )
}
