import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../paths'
import { Brand } from '../brand'
import { Button } from '../ui/button'

interface OnboardingFrameProps {
  title: string
  text?: string
  /** The menu of the organization; none without one. */
  menu?: ReactNode
  children: ReactNode
}

/** The frame of the onboarding pages, without the navigation of the dashboard. */
export function OnboardingFrame({ title, text, menu, children }: OnboardingFrameProps) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-2xl flex-col px-4 py-6 sm:py-10">
      <header className="flex items-center justify-between gap-2">
        <Brand to={paths.landing()} />
        <div className="flex min-w-0 items-center gap-1">
          {menu}
          <Form method="post" action={paths.logout()} reloadDocument>
            <Button variant="quiet" className="whitespace-nowrap">
              Log Out
            </Button>
          </Form>
        </div>
      </header>
      <main id="main" className="my-auto py-8">
        <h1 className="text-display font-semibold tracking-tight">{title}</h1>
        {text && <p className="mt-1.5 text-[1rem] text-soft">{text}</p>}
        <div className="mt-6 rounded-large border border-line bg-surface p-5 shadow-low sm:p-6">{children}</div>
      </main>
    </div>
  )
}
