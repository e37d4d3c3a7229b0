import { describe, expect, test } from 'vitest'
import { foldText } from '../../language/normalize-text'
import { identifiersIn } from '../query/identifiers'
import { createLineMatcher } from './line-match'

const match = (query: string, text: string) => createLineMatcher(query, identifiersIn(query))(foldText(text))

describe('createLineMatcher', () => {
  test.each([
    ['systemd', 'Init systems:\nsystemd (the default) starts units.'],
    ['lag', 'Function | Result\nlag(value, offset) | The value of an earlier row'],
    ['NOT (operator)', 'NOT (operator), 4.1'],
    ['max connections', '- Max_connections: 100'],
    ['Queue.get()', 'queue.Queue.get(block=True)'],
    ['get', 'queue.Queue.get(block=True)'],
    ['重置密码', '重置密码的方法'],
  ])('%s starts a line', (query, text) => {
    expect(match(query, text).startsLine).toBe(true)
  })

  test.each([
    ['system', 'systemd starts units.'],
    ['systemd', 'The systemd daemon starts units.'],
    ['systemd units', 'systemd starts units.'],
    ['?!', 'systemd'],
    ['close', 'close(socket);'],
    ['close', 'socket.close();'],
    ['queue of waiting jobs', 'Queue of waiting jobs: see below'],
  ])('%s starts no line', (query, text) => {
    expect(match(query, text).startsLine).toBe(false)
  })

  test.each([
    ['HX-7731', 'Part | Price\nHX-7731 | 12 €', 1],
    ['HX-7731', 'Part: HX-7731; Price: 12 €', 1],
    ['7731', 'Price | Part\n12 € | 7731', 1],
    ['price of HX-7731', 'Part | Price\nHX-7731 | 12 €', 0.5],
    ['HX-7731', 'The HX-7731 gasket; order it | now', 0],
    ['HX-7731', 'HX-7731', 0],
    ['gasket', 'gasket | 12 €', 0],
  ])('%s in a row: %s', (query, text, share) => {
    expect(match(query, text).rowShare).toBe(share)
  })
})
