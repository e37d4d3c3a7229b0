import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { settingsLinks } from '../shell/settings-links'
import { TabLink } from '../ui/tab-link'

/** Tabs between the pages of the settings, where there is no sidebar that lists them. */
export function SettingsNav({ abilities }: { abilities: OrganizationView['abilities'] }) {
  return (
    <nav
      aria-label="Settings"
      className="mb-5 flex gap-x-5 overflow-x-auto border-b border-line whitespace-nowrap [scrollbar-width:none] md:hidden"
    >
      {settingsLinks(abilities).map(({ to, label }) => (
        <TabLink key={to} to={to}>
          {label}
        </TabLink>
      ))}
    </nav>
  )
}
