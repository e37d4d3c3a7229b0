import type { ReactNode } from 'react'

/** What a website said of its visitor, marked as such; null without it. */
export function notVerified(value: string | null): ReactNode {
  if (!value) return null
  return (
    <>
      {value} <span className="text-soft">(not verified)</span>
    </>
  )
}
