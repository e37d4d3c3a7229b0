import { z } from 'zod'
import { auditLimits } from '../values/audit'
import { companySizes, positions, providers, referralSources, sectors } from '../values/enumerations'
import { lengths, retentionDays, visitorDailyShare } from '../values/limits'
import { wholeNumberSchema, wholeNumberText } from '../values/number'
import { lineSchema, nameSchema } from '../values/text'

export const organizationSchema = z.object({
  name: nameSchema(lengths.organizationName),
  entity_name: lineSchema('Legal entity name', lengths.entityName).optional().default(''),
})
export type OrganizationInput = z.infer<typeof organizationSchema>

/** A number of days, or its text from a form; '' and null for ever. */
function daysSchema(label: string) {
  const message = `${wholeNumberText(label, retentionDays)}, or empty for ever`
  return z
    .union([z.number(), z.string().trim().regex(/^\d*$/, message), z.null()], message)
    .transform((value) => (value === '' || value === null ? null : Number(value)))
    .pipe(z.number().int(message).min(retentionDays.min, message).max(retentionDays.max, message).nullable())
    .meta({ minimum: retentionDays.min, maximum: retentionDays.max })
}

/** An absent field keeps what is stored. */
export const organizationEditSchema = z.object({
  name: organizationSchema.shape.name.optional(),
  entity_name: lineSchema('Legal entity name', lengths.entityName).optional(),
  default_agent_provider: z.enum(providers, 'Choose a provider').nullish(),
  default_agent_model: z
    .string()
    .trim()
    .max(lengths.model, `Model can have at most ${lengths.model} characters`)
    .nullish(),
  default_agent_provider_key: z
    .string()
    .trim()
    .max(lengths.apiKey, `API key can have at most ${lengths.apiKey} characters`)
    .nullish()
    .describe("Undefined or '' keeps the stored key; null removes it."),
  visitor_daily_share: wholeNumberSchema('Daily share of visitors', visitorDailyShare)
    .optional()
    .describe('What visitors may use of a monthly limit on one day, in percent.'),
  thread_days: daysSchema('Days for threads').optional().describe('Days after the last message; null for ever.'),
  visitor_data_days: daysSchema('Days for visitor data')
    .optional()
    .describe('Days after the last message; null for ever.'),
  run_days: daysSchema('Days for crawl reports').optional().describe('Days after the end of a crawl; null for ever.'),
  audit_days: wholeNumberSchema('Days for the audit log', {
    min: auditLimits.days,
    max: auditLimits.maxDays,
  }).optional(),
  replaces_old_threads: z
    .boolean('replaces_old_threads is true or false')
    .optional()
    .describe("Whether a new thread over the plan's limit replaces the oldest one of a visitor."),
  requires_second_factor: z
    .boolean('requires_second_factor is true or false')
    .optional()
    .describe('Whether members have access only with a second factor.'),
})
export type OrganizationEdit = z.infer<typeof organizationEditSchema>

/** Confirms the deletion of an organization with its name. */
export const organizationDeletionSchema = z.object({
  name: z.string('Name is required').trim().min(1, 'Name is required'),
})
export type OrganizationDeletion = z.infer<typeof organizationDeletionSchema>

const otherText = `'Other' can have at most ${lengths.onboardingOther} characters`
const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], message: string) =>
  z.union(
    [
      z.enum(values),
      z
        .string()
        .trim()
        .regex(/^other:/, message)
        .max(6 + lengths.onboardingOther, otherText),
    ],
    message,
  )

export const goals = [
  'chat_on_website',
  'internal_knowledge',
  'customer_support',
  'semantic_search',
  'api_for_own_product',
  'just_trying',
  'other',
] as const

export const onboardingSchema = z.object({
  goals: z
    .array(
      z
        .string('A goal is text')
        .trim()
        .min(1, 'A goal is text')
        .max(6 + lengths.onboardingOther, otherText),
      'Choose at least one goal',
    )
    .min(1, 'Choose at least one goal')
    .max(20, 'Choose at most 20 goals'),
  sector: oneOf(sectors, 'Choose a sector'),
  position: oneOf(positions, 'Choose your position'),
  size: z.enum(companySizes, 'Choose a size'),
  source: oneOf(referralSources, 'Choose where you heard about us'),
})
export type OnboardingInput = z.infer<typeof onboardingSchema>
