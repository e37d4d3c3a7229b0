import type { Request, Response } from 'express'
import { emailSchema, fieldErrors } from './credentials'
import type { MailedLinks } from './mailed-links'
import { emptyForm, type FormState } from './pages/fields'
import { forgotMailPage, mailSentPage, signUpMailPage } from './pages/mail-forms'
import { readForm, sendPage } from './send-page'
import { tooManyAttempts } from './too-many'

const pages = { reset: forgotMailPage, 'sign-up': signUpMailPage }

/**
 * Handles a form that asks for an e-mail address and mails a link to it. `at` is the path of the interaction. The response
 * is the same for every address.
 */
export async function handleMailForm(
  { request: requestMail }: Pick<MailedLinks, 'request'>,
  purpose: keyof typeof pages,
  address: string,
  request: Request,
  response: Response,
): Promise<void> {
  const email = readForm(request)('email')
  const showAgain = (status: number, state: Partial<FormState>) =>
    sendPage(response, status, pages[purpose](address, { values: { email }, errors: {}, ...state }))
  const parsed = emailSchema.safeParse({ email })
  if (!parsed.success) return showAgain(400, { errors: fieldErrors(parsed.error) })
  const wait = await requestMail(purpose, request.ip ?? '', parsed.data.email)
  if (wait !== null) return showAgain(429, { notice: tooManyAttempts(response, wait) })
  sendPage(response, 200, mailSentPage(purpose, address, parsed.data.email))
}

export function showMailForm(purpose: keyof typeof pages, address: string, response: Response): void {
  sendPage(response, 200, pages[purpose](address, emptyForm))
}
