import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { isWeb } from '../../../contract/texts/place-in-file'
import type { FragmentView } from '../../../contract/views/fragment'
import { classes } from '../ui/classes'
import { dashboardPath, passageLink } from './passage'

interface PassageProps {
  fragment: FragmentView
  /** The question, if it is known. */
  query?: string
  className?: string
  /** Only for links. */
  linkClassName?: string
  children: ReactNode
}

/**
 * Links to the passage on its page. A passage of a file, which cannot be opened at a place, links to the file's fragments
 * in the dashboard; without the ids for that it is plain text.
 */
export function Passage({ fragment, query, className, linkClassName, children }: PassageProps) {
  const { link, content } = fragment
  if (isWeb(link)) {
    return (
      <a
        href={passageLink(link, content, query)}
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
