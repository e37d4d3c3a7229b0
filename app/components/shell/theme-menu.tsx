import { useFetcher, useLocation } from '@remix-run/react'
import { Monitor, Moon, Sun } from 'lucide-react'
import { paths } from '../../paths'
import { Menu, menuItemClasses } from '../ui/menus/menu'

const choices = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const

export function ThemeMenu({ theme }: { theme: string }) {
  const fetcher = useFetcher()
  const location = useLocation()
  const Icon = choices.find((choice) => choice.value === theme)?.icon ?? Monitor
  return (
    <Menu
      name="Theme"
      align="end"
      label={<Icon aria-hidden="true" className="size-4" />}
      summaryClassName="inline-flex rounded-small border border-transparent px-2.5 py-2 text-soft hover:bg-sunken hover:text-text"
    >
      <fetcher.Form method="post" action={paths.theme()}>
        <input type="hidden" name="back" value={location.pathname + location.search} />
        {choices.map(({ value, label, icon: Choice }) => (
          <button
            type="submit"
            key={value}
            name="theme"
            value={value}
            data-menu-item
            aria-current={value === theme || undefined}
            className={menuItemClasses}
          >
            <Choice aria-hidden="true" />
            {label}
          </button>
        ))}
      </fetcher.Form>
    </Menu>
  )
}
