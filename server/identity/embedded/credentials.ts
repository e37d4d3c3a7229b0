import { z } from 'zod'
import { newPasswordSchema } from '../../../contract/organizations/account'
import { isEmail } from '../../../contract/values/email'
import { maxPersonNameLength, passwordLength } from '../../../contract/values/limits'
import { lineSchema } from '../../../contract/values/text'

const { max } = passwordLength
const emailField = z
  .string()
  .trim()
  .min(1, 'E-mail is required')
  .refine(isEmail, 'Enter a full e-mail address, such as you@example.com')

export const emailSchema = z.object({ email: emailField })

export const signInSchema = z.object({
  email: emailField,
  password: z.string().min(1, 'Password is required').max(max, 'Wrong e-mail or password'),
})

export const signUpSchema = z.object({
  email: emailField,
  name: lineSchema('Name', maxPersonNameLength),
  surname: lineSchema('Surname', maxPersonNameLength),
  password: newPasswordSchema,
})

/** The first message of each field. */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of error.issues) errors[String(path[0])] ??= message
  return errors
}
