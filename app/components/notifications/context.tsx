import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { type Notification, type NotificationType, toast } from './notification'
import { NotificationStack } from './notification-stack'

type Notify = (notification: Notification) => void

const NotifyContext = createContext<Notify>(() => {})

/** Shows notifications: those that came with the page, and those that are added later. */
export function NotificationProvider({ arrived, children }: { arrived: Notification[]; children: ReactNode }) {
  const [shown, setShown] = useState(arrived)
  const seen = useRef(new Set(arrived.map((one) => one.uuid)))

  const add = useCallback((one: Notification) => {
    if (seen.current.has(one.uuid)) return
    seen.current.add(one.uuid)
    setShown((before) => [...before, one])
  }, [])

  useEffect(() => {
    for (const one of arrived) add(one)
  }, [arrived, add])

  const dismiss = useCallback((uuid: string) => setShown((before) => before.filter((one) => one.uuid !== uuid)), [])

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

/** Shows what an action's answer brought. */
export function useShow(notifications: Notification[] | undefined): void {
  const notify = useNotify()
  useEffect(() => {
    for (const one of notifications ?? []) notify(one)
  }, [notifications, notify])
}
