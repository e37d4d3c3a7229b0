import { useSearchParams } from '@remix-run/react'
import { Download, Trash2 } from 'lucide-react'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { withoutDialog, withQuery } from '../ui/browser/query'
import { buttonClasses } from '../ui/button'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog'
import { formatCount } from '../ui/format'

interface ThreadSelectionProps {
  /** How many threads match. */
  total: number
  isFiltered: boolean
  mayDelete: boolean
  /** ISO 8601. Threads that begin later are not deleted. */
  loadedAt: string
}

/** Saves and deletes all threads that match the filters. */
export function ThreadSelection({ total, isFiltered, mayDelete, loadedAt }: ThreadSelectionProps) {
  const [search] = useSearchParams()
  const noun = total === 1 ? 'thread' : 'threads'
  const which = isFiltered ? `${formatCount(total)} matching ${noun}` : `all ${formatCount(total)} ${noun}`
  return (
    <div className="flex flex-wrap items-center gap-1 border-line border-b px-2 py-1.5">
      <a href={`${paths.threadsExport()}${withoutDialog(search)}`} download className={buttonClasses('quiet')}>
        <Download aria-hidden="true" />
        Save as JSON
      </a>
      <AllowedLink
        allowed={mayDelete}
        reason={reasons.administrator}
        to={withQuery(search, { dialog: 'delete-threads' })}
        variant="quiet-danger"
        icon={Trash2}
        label={`Delete ${which}`}
      >
        Delete
      </AllowedLink>
      {search.get('dialog') === 'delete-threads' && mayDelete && (
        <ConfirmDialog
          title={`Delete ${which}?`}
          confirm={`Delete ${noun}`}
          closeTo={withoutDialog(search)}
          values={{ intent: 'delete-threads', createdUntil: loadedAt }}
        >
          <p>
            {isFiltered ? 'The threads that match the filters' : 'All threads of the organization'} are deleted with
            their messages. Agents and collections stay. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
