import { notificationTimes } from '../../../contract/values/limits'

export const notificationTypes = ['primary', 'success', 'info', 'warning', 'danger', 'light', 'dark'] as const
export type NotificationType = (typeof notificationTypes)[number]

/** The contract's notification. Times in milliseconds. */
export interface Notification {
  uuid: string
  type: NotificationType
  title: string
  message?: string
  content?: string
  dismissible?: boolean
  /** Stays until the person dismisses it. */
  persistent?: boolean
  timeout?: number
  /** Called when the person dismisses it; until then it stays. Only for notifications of components. */
  onDismiss?: () => void
}

/** Others disappear after their time. */
export function staysUntilDismissed({ persistent, onDismiss }: Notification): boolean {
  return persistent === true || onDismiss !== undefined
}

export function notification(type: NotificationType, title: string, message?: string): Notification {
  return { uuid: crypto.randomUUID(), type, title, message, dismissible: true }
}

/** A short notification that disappears by itself. */
export function toast(type: NotificationType, title: string): Notification {
  return { uuid: crypto.randomUUID(), type, title, timeout: notificationTimes.toast }
}

/** The shown notifications with one more, which replaces one with the same text. */
export function withNotification(shown: Notification[], added: Notification): Notification[] {
  const isSame = (item: Notification) =>
    item.type === added.type && item.title === added.title && item.message === added.message
  return [...shown.filter((item) => !isSame(item)), added]
}
