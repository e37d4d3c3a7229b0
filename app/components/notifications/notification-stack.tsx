import { useRef, useState } from 'react'
import { notificationTimes } from '../../../contract/values/limits'
import { useTopLayer } from '../ui/browser/use-top-layer'
import { classes } from '../ui/classes'
import { type Notification, type NotificationType, staysUntilDismissed } from './notification'
import { useCountdown } from './use-countdown'

const edges: Record<NotificationType, string> = {
  primary: 'border-l-accent',
  success: 'border-l-success',
  info: 'border-l-accent-strong',
  warning: 'border-l-warning',
  danger: 'border-l-danger',
  light: 'border-l-line',
  dark: 'border-l-text',
}

interface StackProps {
  notifications: Notification[]
  dismiss: (uuid: string) => void
}

/** Announced politely, on top of everything. The list may move into a dialog, but React's parent of it stays here. */
export function NotificationStack({ notifications, dismiss }: StackProps) {
  const list = useRef<HTMLUListElement>(null)
  useTopLayer(list)
  return (
    <div>
      <ul
        ref={list}
        aria-label="Notifications"
        aria-live="polite"
        className="notifications pointer-events-none fixed inset-auto right-4 bottom-4 z-50 m-0 grid w-[min(380px,calc(100vw-32px))] gap-2 overflow-visible border-0 bg-transparent p-0 text-text"
      >
        {notifications.map((notification) => (
          <NotificationCard
            key={notification.uuid}
            notification={notification}
            dismiss={() => dismiss(notification.uuid)}
          />
        ))}
      </ul>
    </div>
  )
}

function NotificationCard({ notification, dismiss }: { notification: Notification; dismiss: () => void }) {
  const { type, title, message, content, timeout, onDismiss } = notification
  const dismissible = notification.dismissible || onDismiss !== undefined
  const [isPaused, setIsPaused] = useState(false)
  useCountdown(
    staysUntilDismissed(notification) ? null : (timeout ?? notificationTimes.notification),
    !isPaused,
    dismiss,
  )
  return (
    <li
      data-type={type}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className={classes(
        'notification rise pointer-events-auto flex items-start gap-3 rounded-medium border border-line border-l-4 bg-raised px-4 py-3 shadow-high',
        edges[type],
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {message && <p className="mt-0.5 text-soft">{message}</p>}
        {content && <p className="mt-0.5 text-meta text-soft">{content}</p>}
      </div>
      {dismissible && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={() => {
            dismiss()
            onDismiss?.()
          }}
          className="needs-script -mr-1 rounded-small p-1 text-soft hover:bg-sunken hover:text-text"
        >
          <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
            <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
          </svg>
        </button>
      )}
    </li>
  )
}
