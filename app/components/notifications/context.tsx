import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { unreachedEvent } from '../ui/browser/client-action'
import { type Notification, type NotificationType, notification, toast, withNotification } from './notification'
import { NotificationStack } from './notification-stack'

/** Messages for a request that was not answered: of a form with input, which is kept, and of a button alone. */
const unreachedMessages = {
  input: 'What you entered is still here. Check your connection, then send it again.',
  button: 'Check your connection and try again.',
}
const inputs = 'input:not([type=hidden]), textarea, select'

type Notify = (notification: Notification) => void

const NotifyContext = createContext<Notify>(() => {})

/** Shows the notifications that the loaders returned, and those that components add. */
export function NotificationProvider({ loaded, children }: { loaded: Notification[]; children: ReactNode }) {
  const [shown, setShown] = useState(loaded)
  const seen = useRef(new Set(loaded.map(({ uuid }) => uuid)))

  const add = useCallback((notification: Notification) => {
    if (seen.current.has(notification.uuid)) return
    seen.current.add(notification.uuid)
    setShown((current) => withNotification(current, notification))
  }, [])

  useEffect(() => {
    for (const notification of loaded) add(notification)
  }, [loaded, add])

  useEffect(() => {
    let hasInput = false
    const onSubmit = ({ target }: Event) => {
      hasInput = target instanceof Element && target.querySelector(inputs) !== null
    }
    const onUnreached = () => {
      const message = hasInput ? unreachedMessages.input : unreachedMessages.button
      add(notification('danger', "The server can't be reached", message))
    }
    document.addEventListener('submit', onSubmit, true)
    window.addEventListener(unreachedEvent, onUnreached)
    return () => {
      document.removeEventListener('submit', onSubmit, true)
      window.removeEventListener(unreachedEvent, onUnreached)
    }
  }, [add])

  const dismiss = useCallback((dismissed: string) => {
    setShown((current) => current.filter(({ uuid }) => uuid !== dismissed))
  }, [])

  return (
    <NotifyContext.Provider value={add}>
      {children}
      <NotificationStack notifications={shown} dismiss={dismiss} />
    </NotifyContext.Provider>
  )
}

export function useNotify(): Notify {
  return useContext(NotifyContext)
}

export function useToast(): (type: NotificationType, title: string) => void {
  const notify = useNotify()
  return useMemo(() => (type, title) => notify(toast(type, title)), [notify])
}

/** Shows the notifications that an action returned. */
export function useShowNotifications(notifications: Notification[] | undefined): void {
  const notify = useNotify()
  useEffect(() => {
    for (const notification of notifications ?? []) notify(notification)
  }, [notifications, notify])
}
