import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../adapters/embedding/model-tokenizer'
import { createQueryReader } from './parse-query'

const read = createQueryReader(createTokenizer(resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2')))

describe('createQueryReader', () => {
  test.each([
    ['How do I reset my password?', ['reset', 'password']],
    ['Jak zmienić hasło do konta?', ['zmienić', 'hasło', 'konta']],
    ['Was ist der Unterschied zwischen Listen und Tupeln?', ['unterschied', 'zwischen', 'listen', 'tupeln']],
    ['to be or not to be', ['to', 'be', 'or', 'not']],
    ['asyncio.create_task(coro)', ['asyncio', 'create_task', 'coro']],
    ['lamp Lamp LAMP', ['lamp']],
    ['?!', []],
    ['', []],
    ['___', []],
  ])('%s', (query, words) => {
    expect(read(query).words).toEqual(words)
  })

  test.each([
    'How do I reset my password?',
    'password reset',
    'asyncio create_task TaskGroup',
    'PEP 8',
    'os.path.join',
    'install Debian',
    'the café menu',
    'getElementById',
  ])('takes for English: %s', (query) => {
    expect(read(query).english).toBe(true)
  })

  test.each([
    'Wie kann ich Einstellungen ändern?',
    'Silbentrennung ausschalten',
    'Jak zmienić hasło?',
    'hasło',
    'ustawienia powiadomienia',
    'Сколько очков уступила защита?',
    '如何重置密码',
    'cómo cambiar la contraseña',
    'Welche Tabellen gibt es?',
  ])('takes for inflected: %s', (query) => {
    expect(read(query).english).toBe(false)
  })

  test('counts pieces a word', () => {
    expect(read('reset the password').piecesPerWord).toBe(1)
    expect(read('Konstantynopolitańczykowianeczka').piecesPerWord).toBeGreaterThan(5)
    expect(read('').piecesPerWord).toBe(1)
  })
})
