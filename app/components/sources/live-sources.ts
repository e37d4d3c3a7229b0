import { useEffect, useRef, useState } from 'react'
import type { Paged, Paging } from '../../../contract/paging'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { useReload } from '../ui/reload'
import { isBusy } from './progress-line'

/** While pages come in, the rest of the page is asked for anew at most this often, in milliseconds. */
const restOfPage = 5_000
const vectorCounts = ['embedded', 'fragments_without_vector']

/** The sources as the server sees them now: as they came with the page, then with each change it tells of. */
export function useLiveSources(collectionId: string, loaded: Paged<SourceView>, paging: Paging): Paged<SourceView> {
  const [told, setTold] = useState<{ after: Paged<SourceView>; sources: Paged<SourceView> } | null>(null)
  const reload = useReload()
  const latest = useRef(loaded)
  latest.current = loaded
  const { page, limit } = paging

  useEffect(() => {
    let refreshedAt = Date.now()
    const events = new EventSource(`${paths.collectionProgress(collectionId)}?page=${page}&size=${limit}`)
    events.addEventListener('sources', (event) => {
      const sources: Paged<SourceView> = JSON.parse(event.data)
      setTold({ after: latest.current, sources })
      const busy = sources.docs.some(isBusy)
      // A small site is read between two looks, so that nobody ever saw it busy: what counts is what the page shows.
      const ended = !busy && settledForm(sources) !== settledForm(latest.current)
      if (ended || (busy && Date.now() - refreshedAt > restOfPage)) {
        refreshedAt = Date.now()
        reload()
      }
    })
    return () => events.close()
  }, [collectionId, page, limit, reload])

  // What was told before the page was loaded anew is older than the page.
  return told?.after === loaded ? told.sources : loaded
}

/** Without the counts of vectors: those change nothing on the rest of the page. */
function settledForm({ docs }: Paged<SourceView>): string {
  return JSON.stringify(docs, (name, value) => (vectorCounts.includes(name) ? undefined : value))
}
