import { useParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { PagePreview } from '../../../../contract/views/preview'
import { paths } from '../../../paths'
import { readProblem } from '../read-problem'

type PreviewState =
  | { phase: 'running' }
  | { phase: 'done'; result: PagePreview }
  /** One line per error. */
  | { phase: 'failed'; problems: string[] }

const unexpected = 'The page could not be previewed. Try again.'

/** Previews one page with the selectors of a form. The fields are sent in the body, so that no URL contains them. */
export function usePagePreview() {
  const { collectionId = '' } = useParams()
  const [preview, setPreview] = useState<PreviewState | null>(null)
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  async function start(form: HTMLFormElement, page: string) {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setPreview({ phase: 'running' })
    try {
      const body = new FormData(form)
      const source = body.get('id')
      if (source !== null) body.set('source_id', source)
      body.set('page', page)
      const response = await fetch(paths.pagePreview(collectionId), { method: 'POST', body, signal: controller.signal })
      if (response.ok) return setPreview({ phase: 'done', result: await response.json() })
      const { message, errors } = await readProblem(response, unexpected)
      setPreview({ phase: 'failed', problems: errors ? [...new Set(Object.values(errors).flat())] : [message] })
    } catch {
      if (!controller.signal.aborted) setPreview({ phase: 'failed', problems: [unexpected] })
    }
  }

  return { preview, start }
}
