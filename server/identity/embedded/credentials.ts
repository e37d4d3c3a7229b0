import { z } from 'zod'
import { isEmail } from '../../../contract/email'
import { lineSchema } from '../../../contract/text'
import { passwordLength } from './passwords'

const { min, max } = passwordLength
const maxNameLength = 64
const emailField = z
  .string()
  .trim()
  .min(1, 'E-mail is required')
  .refine(isEmail, 'Enter a full e-mail address, such as you@example.com')

export const newPassword = z
  .string()
  .min(1, 'Password is required')
  .min(min, `Use at least ${min} characters`)
  .max(max, `Use at most ${max} characters`)

export const signInSchema = z.object({
  email: emailField,
  password: z.string().min(1, 'Password is required').max(max, 'Wrong e-mail or password'),
})

export const signUpSchema = z.object({
  email: emailField,
  name: lineSchema('Name', maxNameLength),
  surname: lineSchema('Surname', maxNameLength),
  password: newPassword,
})

/** The first message of each field. */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of error.issues) errors[String(path[0])] ??= message
  return errors
}
