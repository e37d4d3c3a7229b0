import { z } from 'zod'

// Values that a field must not take, and what the tables of calls share.

export const long = (length: number) => 'x'.repeat(length + 1)
export const neverText = [7, true, [], {}, ['text']]
export const requiredText = (most: number) => [undefined, null, '', '   ', long(most), ...neverText]
export const optionalText = (most: number) => [long(most), ...neverText]
export const neverNumber = [null, true, false, '', ' ', 'many', [], [5], {}]

export const success = z.literal(true)
export const named = { name: 'Named by the test', description: 'Described' }
export const choices = [undefined, null, '', 'nothing of these', 7, [], {}]
