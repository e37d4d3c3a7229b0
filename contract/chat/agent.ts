import { z } from 'zod'
import { providers } from '../values/enumerations'
import { agentRanges, lengths, maxSuggestions } from '../values/limits'
import { lineSchema, nameSchema } from '../values/text'

const name = nameSchema(lengths.agentName)
const descriptionOrNothing = z
  .string()
  .trim()
  .max(lengths.agentDescription, `Description can have at most ${lengths.agentDescription} characters`)
  .nullish()
const description = descriptionOrNothing.transform((text) => text ?? '')

/** A form sends 'on' for a checked box and nothing for an unchecked one. */
const ticked = z.union([z.boolean(), z.literal('on').transform(() => true)], 'useDefaults is true or false')

/** A form sends '' where nothing is chosen. */
const chosenId = z
  .string('collectionId is the id of a collection')
  .trim()
  .nullable()
  .transform((id) => id || undefined)
  .optional()

/** A `collectionId` links the new agent to that collection. */
export const agentSchema = z.object({
  name,
  description,
  useDefaults: ticked.optional().default(false),
  collectionId: chosenId,
})
export type AgentInput = z.infer<typeof agentSchema>

/** `disabled` ends the agent's answers until it is false again; without it, it stays as it is. */
const disabled = choice('disabled is true or false')

/** `archived` puts the agent away until it is false again. */
const archived = choice('archived is true or false')

function choice(message: string) {
  return z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], message).optional()
}

/** Fields of the dialog, which has the name and the description. */
export const agentEditSchema = z.object({ name, description, disabled })

/** Fields of an edit over /v1: an absent field keeps what is stored. */
export const agentPatchSchema = z.object({
  name: name.optional(),
  description: descriptionOrNothing.transform((text) => (text === undefined ? undefined : (text ?? ''))),
  disabled,
  archived,
})
export type AgentPatch = z.infer<typeof agentPatchSchema>

/** A number, or its text from a form. Rejects other values that JavaScript would convert to a number. */
const numeric = (message: string) =>
  z.union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^-?\d+(\.\d+)?$/, message)
        .transform(Number),
    ],
    message,
  )

interface Range {
  min: number
  max: number
  step: number
}

const ranged = (range: Range, what: string) =>
  numeric(`${what} is a number`)
    .pipe(
      z
        .number()
        .min(range.min, `${what} is at least ${range.min}`)
        .max(range.max, `${what} is at most ${range.max}`)
        .refine((value) => isStep(value, range), `${what} is a multiple of ${range.step}`),
    )
    .meta({ minimum: range.min, maximum: range.max })

/** The ranges start at a multiple of their step. A step of 0.1 has no exact binary form. */
function isStep(value: number, { step }: Range): boolean {
  const steps = value / step
  return Math.abs(steps - Math.round(steps)) < 1e-6
}

const whole = (range: Range, what: string) =>
  ranged(range, what)
    .pipe(z.number().int(`${what} is a whole number`))
    .meta({ minimum: range.min, maximum: range.max, multipleOf: range.step })

/** Empty ones are left out. */
const suggestions = z
  .array(
    lineSchema('A suggested question', lengths.suggestion),
    `suggestions is a list of at most ${maxSuggestions} questions, or null`,
  )
  .max(maxSuggestions, `An agent can have at most ${maxSuggestions} suggested questions`)
  .transform((questions) => [...new Set(questions.filter((question) => question !== ''))])
  .nullable()

export const agentSettingsSchema = z.object({
  provider: z.enum(providers, 'Choose a provider'),
  provider_key: z
    .string()
    .trim()
    .max(lengths.apiKey, `API key can have at most ${lengths.apiKey} characters`)
    .nullish()
    .describe("Undefined or '' keeps the stored key; null removes it."),
  model: z
    .string('Choose a model')
    .trim()
    .min(1, 'Choose a model')
    .max(lengths.model, `Model can have at most ${lengths.model} characters`),
  prompt: z
    .string()
    .max(lengths.systemPrompt, `The system prompt can have at most ${lengths.systemPrompt} characters`)
    .nullish()
    .transform((text) => (text === undefined ? undefined : text || null)),
  fragment_similarity: ranged(agentRanges.fragmentSimilarity, 'Similarity threshold').optional(),
  fragment_limit: whole(agentRanges.fragmentLimit, 'Fragment limit').optional(),
  max_total_output_tokens: whole(agentRanges.maxTotalOutputTokens, 'Output token limit').optional(),
  history_limit: numeric('Conversation history is a number')
    .refine(
      (limit) => (agentRanges.historyLimits as readonly number[]).includes(limit),
      'Conversation history is one of -1, 20, 15, 10, 5, 0',
    )
    .meta({
      description: `Number of earlier messages that the model receives: one of ${agentRanges.historyLimits.join(', ')}; -1 for all.`,
    })
    .optional(),
  message_length: whole(agentRanges.messageLength, 'Max input length').optional(),
  translate_questions: z.boolean('translate_questions is true or false').optional(),
  suggestions: suggestions
    .optional()
    .describe(
      `Questions that an empty chat offers, at most ${maxSuggestions}. Places that they leave get proposals from the collection. Null: proposals only. An empty list: none.`,
    ),
})

/** Settings of an edit over /v1: an absent field keeps what is stored. */
export const settingsPatchSchema = agentSettingsSchema.partial()
export type AgentSettings = z.infer<typeof settingsPatchSchema>

/** What is tested before or after it is saved. Without a key, the stored one or the server's is used. */
export const connectionTestSchema = agentSettingsSchema.pick({ provider: true, model: true, provider_key: true })
export type ConnectionTest = z.infer<typeof connectionTestSchema>

/** The dashboard's form, whose field for the prompt takes less than the API. */
export const agentSettingsFormSchema = agentSettingsSchema
  .extend({
    prompt: z
      .string()
      .max(lengths.systemPromptField, `This field can have at most ${lengths.systemPromptField} characters`)
      .nullish()
      .transform((text) => text || null),
    // A form sends nothing for an unchecked box.
    translate_questions: ticked.optional().default(false),
    no_suggestions: ticked.optional().default(false),
  })
  .transform(({ no_suggestions: none, suggestions: entered, ...settings }) => ({
    ...settings,
    suggestions: none ? [] : entered?.length ? entered : null,
  }))

/** `PUT /v1/{orgId}/agents/{id}`: name and description, or the settings. */
export const agentUpdateSchema = z
  .unknown()
  .transform((input, context): { edit: AgentPatch } | { settings: AgentSettings } => {
    const isSettings = isObject(input) && Object.keys(agentSettingsSchema.shape).some((field) => field in input)
    const parsed = isSettings ? settingsPatchSchema.safeParse(input) : agentPatchSchema.safeParse(input)
    if (parsed.success)
      return isSettings ? { settings: parsed.data as AgentSettings } : { edit: parsed.data as AgentPatch }
    for (const issue of parsed.error.issues)
      context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] })
    return z.NEVER
  })

function isObject(input: unknown): input is object {
  return typeof input === 'object' && input !== null
}

/** Where proposals of questions come from: the headings of the collection, or the agent's model. */
export const suggestSchema = z.object({
  from: z.enum(['collection', 'model'], "from is 'collection' or 'model'").optional().default('collection'),
})

const collectionOrNull = 'collectionId is the id of a collection, or null to unlink it'
export const linkSchema = z.object({
  collectionId: z.string(collectionOrNull).trim().min(1, collectionOrNull).nullable(),
})
