import { Notice } from '../ui/feedback/notice'

/** Replaces the results of a search that a limit of the plan refuses. */
export function SearchRefusal({ message }: { message: string }) {
  return (
    <div role="alert">
      <Notice kind="warning" title="Search limit reached">
        {message}
      </Notice>
    </div>
  )
}
