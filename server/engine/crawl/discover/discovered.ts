import type { ReasonCode } from '../../../../contract/reasons'

export type Discovered =
  /** `language`: from the sitemap, BCP 47 in lower case. */
  | { kind: 'address'; url: string; lastModified: string | null; language?: string | null }
  /** A listed URL that no crawl of this source fetches. */
  | { kind: 'excluded'; url: string; reason: ReasonCode; message: string }
  /** A problem to report; the crawl continues. */
  | { kind: 'problem'; url: string; reason: ReasonCode; message: string }
