import { z } from 'zod'
import { isEmail } from '../values/email'
import { maxPersonNameLength, passwordLength } from '../values/limits'
import { lineSchema } from '../values/text'

export const newPasswordSchema = z
  .string('Password is required')
  .min(1, { error: 'Password is required', abort: true })
  .min(passwordLength.min, `Use at least ${passwordLength.min} characters`)
  .max(passwordLength.max, `Use at most ${passwordLength.max} characters`)

export const personNameSchema = z.object({
  name: lineSchema('Name', maxPersonNameLength),
  surname: lineSchema('Surname', maxPersonNameLength),
})
export type PersonName = z.infer<typeof personNameSchema>

export const currentPasswordSchema = z
  .string('Enter your current password')
  .min(1, 'Enter your current password')
  .max(passwordLength.max, 'Wrong password')

export const passwordChangeSchema = z.object({
  current_password: currentPasswordSchema,
  new_password: newPasswordSchema,
})
export type PasswordChange = z.infer<typeof passwordChangeSchema>

export const emailChangeSchema = z.object({
  email: z.string('Enter an e-mail address').trim().refine(isEmail, 'Enter an e-mail address, such as ada@example.com'),
  current_password: currentPasswordSchema,
})
export type EmailChange = z.infer<typeof emailChangeSchema>
