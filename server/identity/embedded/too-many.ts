import type { Response } from 'express'

/** Sets Retry-After, and returns the sentence for the form. */
export function tooManyAttempts(response: Response, seconds: number): string {
  response.set('retry-after', String(seconds))
  const minutes = Math.ceil(seconds / 60)
  const delay = seconds === 1 ? 'a second' : seconds <= 120 ? `${seconds} seconds` : `${minutes} minutes`
  return `Too many attempts. Try again in ${delay}.`
}
