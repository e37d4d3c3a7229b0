import type { ReactNode } from 'react'

/** The values of a card of settings, each with its name. */
export function SettingList({ settings }: { settings: [string, ReactNode][] }) {
  return (
    <dl className="divide-y divide-line">
      {settings.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 px-4 py-3 sm:grid-cols-[13rem_minmax(0,1fr)]">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
