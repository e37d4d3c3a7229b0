import { useEffect, useRef, useState } from 'react'
import type { Paged, SortedPaging } from '../../../contract/values/paging'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { openWhileShown } from '../ui/browser/open-while-shown'
import { untilSignedIn } from '../ui/browser/session'
import { useReload } from '../ui/browser/use-reload'
import { sortText } from '../ui/tables/paging'
import { isBusy } from './progress-line'

/** While sources are busy, the rest of the page is reloaded at most this often. */
const minReloadMs = 5_000
/** Time before a stream that ended is opened again. */
const reconnectMs = 1_000
const embeddingCounts = ['embedded', 'pending_embeddings', 'indexing']

/** The sources as they were loaded, then as the server streams their changes. */
export function useLiveSources(
  collectionId: string,
  loaded: Paged<SourceView>,
  paging: SortedPaging<string>,
): Paged<SourceView> {
  const [streamed, setStreamed] = useState<{ after: Paged<SourceView>; sources: Paged<SourceView> } | null>(null)
  const reload = useReload()
  const latest = useRef(loaded)
  latest.current = loaded
  const { page, limit, sort } = paging
  const order = sort ? `&sort=${sortText(sort)}` : ''

  useEffect(() => {
    let reloadedAt = Date.now()
    const onSources = (event: MessageEvent<string>) => {
      const sources: Paged<SourceView> = JSON.parse(event.data)
      setStreamed({ after: latest.current, sources })
      const busy = sources.docs.some(isBusy)
      // A small site can be read between two events and never appear busy, so the end is a difference from the page.
      const ended = !busy && comparable(sources) !== comparable(latest.current)
      if (ended || (busy && Date.now() - reloadedAt > minReloadMs)) {
        reloadedAt = Date.now()
        reload()
      }
    }
    const address = `${paths.collectionProgress(collectionId)}?page=${page}&size=${limit}${order}`
    return openWhileShown(() => {
      const closing = new AbortController()
      let events = connect()
      return () => {
        closing.abort()
        events.close()
      }

      function connect(): EventSource {
        const stream = new EventSource(address)
        stream.addEventListener('sources', onSources)
        stream.addEventListener('error', reconnect)
        return stream
      }

      /** The browser opens a stream again only where no proxy answered for the server. */
      async function reconnect() {
        events.close()
        await new Promise((resolve) => setTimeout(resolve, reconnectMs))
        await untilSignedIn(closing.signal)
        if (closing.signal.aborted) return
        events = connect()
        reload()
      }
    })
  }, [collectionId, page, limit, order, reload])

  // What was streamed before the last load is older than the page.
  return streamed?.after === loaded ? streamed.sources : loaded
}

/** Returns the sources without the counts of embeddings, which change nothing on the rest of the page. */
function comparable({ docs }: Paged<SourceView>): string {
  return JSON.stringify(docs, (name, value) => (embeddingCounts.includes(name) ? undefined : value))
}
