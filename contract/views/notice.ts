import type { NoticeKind } from '../values/notices'

/** Something that needs attention. */
export interface NoticeView {
  kind: NoticeKind
  title: string
  text: string
  /** Path of the page to go to. */
  path: string
  created_at: string
}
