import { Form, useNavigation } from '@remix-run/react'
import { CircleHelp, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../paths'
import type { AvatarPerson } from '../avatar'
import { Brand } from '../brand'
import { Button, buttonClasses } from '../ui/button'
import { AccountMenu } from './account-menu'
import { ThemeMenu } from './theme-menu'

interface TopBarProps {
  /** Label of the current section. */
  section: string
  helpUrl: string
  theme: string
  /** Who is signed in. */
  person: AvatarPerson
  /** Opens the navigation on narrow screens. */
  navigation?: ReactNode
  /** What finds a place by its name. */
  quickKeys?: ReactNode
}

export function TopBar({ section, helpUrl, theme, person, navigation, quickKeys }: TopBarProps) {
  const isLoading = useNavigation().state !== 'idle'
  return (
    <header className="sticky top-0 z-20 flex h-[52px] items-center gap-2 border-b border-line bg-page px-3 sm:px-4">
      {isLoading && (
        <div
          role="progressbar"
          aria-label="Loading"
          className="late fixed inset-x-0 top-0 h-0.5 animate-pulse bg-accent"
        />
      )}
      {navigation}
      <Brand to={paths.dashboard()} />
      <span className="ml-3 hidden text-meta text-soft sm:block md:ml-[108px]">{section}</span>
      <div className="ml-auto flex items-center gap-0.5">
        {quickKeys}
        <a href={helpUrl} target="_blank" rel="noopener" className={buttonClasses('quiet', 'max-sm:!px-2')}>
          <CircleHelp aria-hidden="true" />
          <span className="max-sm:sr-only">Get Help</span>
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <ThemeMenu theme={theme} />
        <AccountMenu person={person} />
        <Form method="post" action={paths.logout()} reloadDocument>
          <Button variant="quiet" className="max-sm:!px-2">
            <LogOut aria-hidden="true" />
            <span className="max-sm:sr-only">Log Out</span>
          </Button>
        </Form>
      </div>
    </header>
  )
}
