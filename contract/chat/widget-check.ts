import { z } from 'zod'
import { fullAddress } from '../sources/source'

/** The form of the widget check. */
export const widgetCheckInputSchema = z.object({ site: fullAddress })

/** What keeps the widget from working on a page, in the order in which it is reported. */
export type WidgetCheckName = 'loader' | 'key' | 'origin' | 'policy'

export interface WidgetFinding {
  check: WidgetCheckName
  isProblem: boolean
  /** One sentence: what is wrong, and what to do. */
  message: string
}

/** The result of a widget check. */
export interface WidgetCheckResult {
  /** The address of the page after all redirects, and its origin. */
  url: string
  origin: string
  findings: WidgetFinding[]
}

/** The address that was checked, with the result or the reason why there is none. */
export type CheckedWidget = { site: string } & ({ result: WidgetCheckResult } | { error: string })
