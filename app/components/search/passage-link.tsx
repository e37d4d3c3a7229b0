import type { ReactNode } from 'react'
import type { FragmentView } from '../../../contract/thread'
import { classes } from '../ui/classes'
import { isWeb, passageLink } from './passage'

interface PassageProps {
  fragment: FragmentView
  className?: string
  /** Of a link alone. */
  linkClassName?: string
  children: ReactNode
}

/** Leads to the passage on its page. A file cannot be opened at a place: what it says stands there as it is. */
export function Passage({ fragment: { link, content }, className, linkClassName, children }: PassageProps) {
  if (!isWeb(link)) return <span className={className}>{children}</span>
  return (
    <a
      href={passageLink(link, content)}
      target="_blank"
      rel="noopener nofollow"
      className={classes(className, linkClassName)}
    >
      {children}
    </a>
  )
}
