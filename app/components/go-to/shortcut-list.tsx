import { Button } from '../ui/button'
import { BlockingDialog } from '../ui/dialogs/blocking-dialog'

const shortcuts: [string, string][] = [
  ['Ctrl K', 'Go to a collection, an agent, a page or the manual'],
  ['/', 'Search in the collection that is shown'],
  ['Enter', 'Send a question'],
  ['Shift Enter', 'Begin a new line in a question'],
  ['Esc', 'Close a dialog or a menu'],
  ['← →', 'Move between tabs'],
  ['?', 'Show this list'],
]

export function ShortcutList({ close }: { close(): void }) {
  return (
    <BlockingDialog title="Keyboard shortcuts" text="On a Mac, ⌘ takes the place of Ctrl." onCancel={close}>
      <dl className="w-full divide-y divide-line">
        {shortcuts.map(([keys, effect]) => (
          <div key={keys} className="flex items-baseline gap-4 py-2">
            <dt className="w-24 shrink-0">
              <kbd className="rounded-small border border-line-strong bg-sunken px-1.5 py-0.5 text-meta">{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <Button type="button" onClick={close} autoFocus>
        Close
      </Button>
    </BlockingDialog>
  )
}
