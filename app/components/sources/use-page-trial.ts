import { useParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { PagePreview } from '../../../contract/views/preview'
import { paths } from '../../paths'
import { problemOf } from './problem-of'

type Trial =
  | { phase: 'running' }
  | { phase: 'read'; preview: PagePreview }
  /** One line a field that is wrong. */
  | { phase: 'failed'; problems: string[] }

const unforeseen = 'The page could not be tried. Try again.'

/** Tries the selectors of a form on one page. All goes in the body: nothing of it stands in an address. */
export function usePageTrial() {
  const { collectionId = '' } = useParams()
  const [trial, setTrial] = useState<Trial | null>(null)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  async function start(form: HTMLFormElement, page: string) {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setTrial({ phase: 'running' })
    try {
      const body = new FormData(form)
      const source = body.get('id')
      if (source !== null) body.set('source_id', source)
      body.set('page', page)
      const response = await fetch(paths.pagePreview(collectionId), { method: 'POST', body, signal: controller.signal })
      if (response.ok) return setTrial({ phase: 'read', preview: await response.json() })
      const { message, errors } = await problemOf(response, unforeseen)
      setTrial({ phase: 'failed', problems: errors ? [...new Set(Object.values(errors).flat())] : [message] })
    } catch {
      if (!controller.signal.aborted) setTrial({ phase: 'failed', problems: [unforeseen] })
    }
  }

  return { trial, start }
}
