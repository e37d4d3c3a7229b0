import { z } from 'zod'
import { fullAddress } from '../sources/source'

/** The form of the embed doctor. */
export const embedDiagnosisInputSchema = z.object({ site: fullAddress })
export type EmbedDiagnosisInput = z.infer<typeof embedDiagnosisInputSchema>

/** `GET /v1/public/stream-test`: events that are sent at this interval, to see whether a proxy holds them back. */
export const streamTest = { path: '/v1/public/stream-test', events: 5, intervalMs: 200 } as const
export const streamTestEventSchema = z.strictObject({ number: z.number().int() })
