import { Notice } from '../../ui/feedback/notice'

interface PreviewNoticeProps {
  failure: string | null
  /** Why nothing of the site could be read. */
  problem: string | null
  outdated: boolean
}

/** What went wrong, and that the fields have changed since, in one notice. */
export function PreviewNotice({ failure, problem, outdated }: PreviewNoticeProps) {
  const again = outdated && 'The fields have changed. Preview again to see the effect.'
  const title = problem === null ? failure : 'Sitelore could not read this site'
  if (title === null) return again && <Notice kind="info" title={again} />
  return (
    <Notice kind="danger" title={title}>
      {problem}
      {again && <p>{again}</p>}
    </Notice>
  )
}
