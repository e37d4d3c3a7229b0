import { useEffect, useRef, useState } from 'react'
import { useNotify } from '../notifications/context'
import { notification } from '../notifications/notification'
import { refusalOf } from './file-refusal'
import { sendFile } from './send-file'

export interface ChosenFile {
  key: string
  file: File
  state: 'waiting' | 'sending' | 'stopped' | 'stored'
  /** Bytes that are on their way. */
  sent: number
  /** Why it was refused. */
  problem: string | null
}

/** Files that are chosen and then sent one after another. One that is too large, or of no type that is read, is not taken. */
export function useUpload({ several }: { several: boolean }) {
  const notify = useNotify()
  const [files, setFiles] = useState<ChosenFile[]>([])
  const [refused, setRefused] = useState<string>()
  const [sending, setSending] = useState(false)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  function add(given: Iterable<File>) {
    const refusals: string[] = []
    const fitting = [...given].filter((file) => {
      const refusal = refusalOf(file)
      if (!refusal) return true
      notify(notification('warning', refusal.title, refusal.message))
      refusals.push(refusal.sentence)
      return false
    })
    // Beside the field as well: a dialog may cover the notification.
    setRefused(refusals.length > 0 ? [...new Set(refusals)].join(' ') : undefined)
    const chosen = fitting.map((file): ChosenFile => {
      return { key: crypto.randomUUID(), file, state: 'waiting', sent: 0, problem: null }
    })
    if (chosen.length > 0) setFiles((before) => (several ? [...before, ...chosen] : chosen.slice(0, 1)))
  }

  function remove(key: string) {
    setFiles((before) => before.filter((one) => one.key !== key))
  }

  /** Resolves to whether all of them are stored; what was refused says so and stays, to be sent again or removed. */
  async function send(to: string, fields: Record<string, string>): Promise<boolean> {
    const controller = new AbortController()
    running.current = controller
    setSending(true)
    let whole = true
    try {
      for (const { key, file, state } of files) {
        if (state === 'stored') continue
        const change = (now: Partial<ChosenFile>) =>
          setFiles((before) => before.map((one) => (one.key === key ? { ...one, ...now } : one)))
        change({ state: 'sending', sent: 0, problem: null })
        const { signal } = controller
        const outcome = await sendFile(to, fields, file, { signal, onProgress: (sent) => change({ sent }) })
        if (outcome.kind === 'elsewhere') {
          // Loading this page anew leads to where the answer came from.
          window.location.reload()
          return false
        }
        if (outcome.kind === 'stored') change({ state: 'stored', sent: file.size })
        else {
          whole = false
          change({ state: 'waiting', sent: 0, problem: outcome.message })
        }
      }
      return whole
    } catch (error) {
      if (!controller.signal.aborted) throw error
      setFiles((before) => before.map((one) => (one.state === 'sending' ? { ...one, state: 'stopped', sent: 0 } : one)))
      return false
    } finally {
      setSending(false)
    }
  }

  return { files, refused, sending, add, remove, send, stop: () => running.current?.abort() }
}

export type Upload = ReturnType<typeof useUpload>
