import type { ReasonCode } from '../../../../contract/reasons'
import type { addresses } from '../../../../db/schema/addresses'
import type { SourceRow } from '../../sources/source-settings'
import type { SourceBoilerplate } from '../boilerplate/boilerplate'
import type { RunRow } from './runs'

export type AddressRow = typeof addresses.$inferSelect

/** A run of a source, as its job sees it. */
export interface RunContext {
  runId: string
  kind: RunRow['kind']
  /** Whether its addresses are found, and it only has to read on. */
  discovered: boolean
  source: SourceRow
  /** What its pages share with it. */
  boilerplate: SourceBoilerplate
}

export interface DiscoveredAddress {
  url: string
  depth: number
  discoveredFrom: string
  /** What its sitemap says, as it stands there. */
  lastModified?: string | null
  /** As others say, BCP 47 in lower case. */
  language?: string | null
  /** A link that is known not to be followed is shown with its reason. */
  exclusion?: ReasonCode
  /** It is read in place of the address that it was found on. */
  isTarget?: boolean
}
