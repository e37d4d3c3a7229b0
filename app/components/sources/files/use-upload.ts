import { useEffect, useRef, useState } from 'react'
import { useNotify } from '../../notifications/context'
import { notification } from '../../notifications/notification'
import { followRedirect } from '../../ui/browser/session'
import { shownOrganizationField, useShownOrganization } from '../../ui/forms/organization-form'
import { rejectionOf } from './file-rejection'
import { uploadFile } from './upload-file'

export interface ChosenFile {
  key: string
  file: File
  state: 'waiting' | 'sending' | 'stopped' | 'stored'
  /** Bytes sent so far. */
  sent: number
  /** Why it was rejected. */
  problem: string | null
}

/** Collects chosen files, then uploads them one after another. Rejects files that are too large or of other types. */
export function useUpload({ several }: { several: boolean }) {
  const notify = useNotify()
  const organization = useShownOrganization()
  const [files, setFiles] = useState<ChosenFile[]>([])
  const [rejected, setRejected] = useState<string>()
  const [sending, setSending] = useState(false)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  function add(added: Iterable<File>) {
    const rejections: string[] = []
    const accepted = [...added].filter((file) => {
      const rejection = rejectionOf(file)
      if (!rejection) return true
      notify(notification('warning', rejection.title, rejection.message))
      rejections.push(rejection.sentence)
      return false
    })
    // At the field as well, where it stays.
    setRejected(rejections.length > 0 ? [...new Set(rejections)].join(' ') : undefined)
    const chosen = accepted.map((file): ChosenFile => {
      return { key: crypto.randomUUID(), file, state: 'waiting', sent: 0, problem: null }
    })
    if (chosen.length > 0) setFiles((current) => (several ? [...current, ...chosen] : chosen.slice(0, 1)))
  }

  function remove(key: string) {
    setFiles((current) => current.filter((chosen) => chosen.key !== key))
  }

  /** Resolves to whether all files are stored. Rejected ones stay in the list, to be sent again or removed. */
  async function send(to: string, fields: Record<string, string>): Promise<boolean> {
    const controller = new AbortController()
    const address = organization ? withOrganization(to, organization) : to
    running.current = controller
    setSending(true)
    let isComplete = true
    try {
      for (const { key, file, state } of files) {
        if (state === 'stored') continue
        const change = (changes: Partial<ChosenFile>) =>
          setFiles((current) => current.map((chosen) => (chosen.key === key ? { ...chosen, ...changes } : chosen)))
        change({ state: 'sending', sent: 0, problem: null })
        const { signal } = controller
        const outcome = await uploadFile(address, fields, file, { signal, onProgress: (sent) => change({ sent }) })
        if (outcome.kind === 'redirected') {
          // Another page has responded: the session has ended, or the person may not be here.
          change({ state: 'waiting', sent: 0 })
          void followRedirect(signal)
          return false
        }
        if (outcome.kind === 'stored') change({ state: 'stored', sent: file.size })
        else {
          isComplete = false
          change({ state: 'waiting', sent: 0, problem: outcome.message })
        }
      }
      return isComplete
    } catch (error) {
      if (!controller.signal.aborted) throw error
      setFiles((current) =>
        current.map((chosen) => (chosen.state === 'sending' ? { ...chosen, state: 'stopped', sent: 0 } : chosen)),
      )
      return false
    } finally {
      setSending(false)
    }
  }

  return { files, rejected, sending, add, remove, send, stop: () => running.current?.abort() }
}

function withOrganization(to: string, organization: string): string {
  return `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ [shownOrganizationField]: organization })}`
}

export type Upload = ReturnType<typeof useUpload>
