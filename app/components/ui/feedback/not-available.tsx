import { Lock } from 'lucide-react'
import { EmptyState } from './empty-state'

/** Replaces a page that the role may not open. */
export function NotAvailable({ children }: { children: string }) {
  return (
    <EmptyState icon={Lock} title="Not available">
      {children}
    </EmptyState>
  )
}
