import { z } from 'zod'
import { text } from '../fields'

/** What the embed doctor looks at, in the order in which it reports. */
export const embedChecks = [
  'tag',
  'key',
  'origin',
  'script-policy',
  'connect-policy',
  'mixed-content',
  'server-address',
  'streaming',
  'agent',
] as const
export type EmbedCheck = (typeof embedChecks)[number]

/** What keeps the widget from working on a page. */
export const embedProblems = [
  'no-tag',
  'inert-tag',
  'wrong-integrity',
  'wrong-key',
  'regenerated-key',
  'private-key',
  'origin-not-allowed',
  'script-blocked',
  'calls-blocked',
  'mixed-content',
  'wrong-public-url',
  'script-unreachable',
  'buffered',
  'agent-silent',
] as const
export type EmbedProblem = (typeof embedProblems)[number]

/** The result of one check. A check that could not be made has the state `unknown`. */
export const embedFindingSchema = z.strictObject({
  check: z.enum(embedChecks),
  state: z.enum(['ok', 'problem', 'unknown']),
  problem: z.enum(embedProblems).nullable(),
  /** One sentence: what is wrong, and what to do. */
  message: text,
})
export type EmbedFinding = z.infer<typeof embedFindingSchema>

/** What the embed doctor found on a page. */
export const embedDiagnosisSchema = z.strictObject({
  /** After all redirects. */
  url: text,
  origin: text,
  findings: z.array(embedFindingSchema),
})
export type EmbedDiagnosis = z.infer<typeof embedDiagnosisSchema>

export type EmbedStep = 'page' | 'script' | 'stream'

/** The last event of a diagnosis. */
export type DiagnosisEnd = { kind: 'diagnosed'; diagnosis: EmbedDiagnosis } | { kind: 'failed'; message: string }

/** An event of a diagnosis in progress. */
export type DiagnosisEvent = { kind: 'step'; step: EmbedStep } | DiagnosisEnd
