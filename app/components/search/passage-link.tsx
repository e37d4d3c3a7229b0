import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { isWeb } from '../../../contract/place-in-file'
import type { FragmentView } from '../../../contract/views/fragment'
import { classes } from '../ui/classes'
import { dashboardPath, passageLink } from './passage'

interface PassageProps {
  fragment: FragmentView
  /** The question, where it is known. */
  asked?: string
  className?: string
  /** Of a link alone. */
  linkClassName?: string
  children: ReactNode
}

/**
 * Leads to the passage on its page; that of a file, which cannot be opened at a place, to all that was read of the file.
 * For members: where nothing says which address it is, what it says stands there as it is.
 */
export function Passage({ fragment, asked, className, linkClassName, children }: PassageProps) {
  const { link, content } = fragment
  if (isWeb(link)) {
    return (
      <a
        href={passageLink(link, content, asked)}
        target="_blank"
        rel="noopener nofollow"
        className={classes(className, linkClassName)}
      >
        {children}
      </a>
    )
  }
  const inside = dashboardPath(fragment)
  if (inside === null) return <span className={className}>{children}</span>
  return (
    <Link to={inside} className={classes(className, linkClassName)}>
      {children}
    </Link>
  )
}
