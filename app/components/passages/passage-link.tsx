import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { passageLink } from '../../../contract/texts/pages/passage-link'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { FoundFragment } from '../../../contract/views/chat/search-results'
import { classes } from '../ui/classes'
import { dashboardPath } from './passage'

interface PassageProps {
  /** The link of a fragment with a passage leads to it; that of others to the start of their content. */
  fragment: FragmentView | FoundFragment
  className?: string
  /** Classes that only a link gets. */
  linkClassName?: string
  children: ReactNode
}

/**
 * Links to the passage on its page. A passage of a file, which cannot be opened at a place, links to the file's fragments
 * in the dashboard; without the ids for that it is plain text.
 */
export function Passage({ fragment, className, linkClassName, children }: PassageProps) {
  const { link, content } = fragment
  if (isWeb(link)) {
    return (
      <a
        href={fragment.passage ? link : passageLink(link, { text: content, highlights: [] })}
        target="_blank"
        rel="noopener nofollow"
        className={classes(className, linkClassName)}
      >
        {children}
      </a>
    )
  }
  const path = dashboardPath(fragment)
  if (path === null) return <span className={className}>{children}</span>
  return (
    <Link to={path} className={classes(className, linkClassName)}>
      {children}
    </Link>
  )
}
