import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { buttonClasses } from '../ui/button'
import { lazyComponent } from '../ui/lazy-component'
import type { GoToProps } from './go-to'

const GoTo = lazyComponent(async () => (await import('./go-to')).GoTo)
const ShortcutList = lazyComponent(async () => (await import('./shortcut-list')).ShortcutList)

/** Opens the list of places with Ctrl-K, and that of the keyboard shortcuts with '?'. Their scripts are loaded then. */
export function QuickKeys(person: Omit<GoToProps, 'close'>) {
  const [open, setOpen] = useState<'places' | 'shortcuts' | null>(null)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isModified = event.ctrlKey || event.metaKey
      const isInDialog = document.querySelector('dialog[open]') !== null
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (isInDialog || event.altKey) return
      if (isModified && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOpen('places')
      } else if (!isModified && event.key === '?' && !isTyping) {
        event.preventDefault()
        setOpen('shortcuts')
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => setOpen(null)
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen('places')}
        className={buttonClasses('quiet', 'needs-script max-sm:!px-2 max-[359px]:hidden')}
      >
        <Search aria-hidden="true" />
        <span className="max-sm:sr-only">Go to</span>
        <kbd className="hidden text-meta text-soft lg:inline">Ctrl K</kbd>
      </button>
      {open === 'places' && <GoTo {...person} close={close} />}
      {open === 'shortcuts' && <ShortcutList close={close} />}
    </>
  )
}
