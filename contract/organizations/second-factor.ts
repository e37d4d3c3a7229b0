import { z } from 'zod'
import { passkeyLimits } from '../values/limits'
import { nameSchema } from '../values/text'
import { currentPasswordSchema } from './account'

/** Confirms a change of the second factors. */
export const passwordProofSchema = z.object({ current_password: currentPasswordSchema })
export type PasswordProof = z.infer<typeof passwordProofSchema>

/** `setup` is the sealed secret that the server sent. */
export const authenticatorCodeSchema = z.object({
  setup: z.string().max(1_000),
  code: z
    .string('Enter the code')
    .transform((code) => code.replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits that the app shows')),
})
export type AuthenticatorCode = z.infer<typeof authenticatorCodeSchema>

export const passkeyOfferSchema = passwordProofSchema.extend({
  name: nameSchema(passkeyLimits.nameLength),
})
export type PasskeyOffer = z.infer<typeof passkeyOfferSchema>

/** `setup` is the sealed challenge that the server sent, `credential` the browser's answer as JSON. */
export const passkeySchema = z.object({ setup: z.string().max(2_000), credential: z.string().max(20_000) })
export type PasskeyInput = z.infer<typeof passkeySchema>
