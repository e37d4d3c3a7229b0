import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'

/** Whether a request has this token as its bearer. Takes the same time for every token of that length. */
export function hasBearer(request: Request, token: string): boolean {
  const sent = Buffer.from(request.get('authorization') ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
