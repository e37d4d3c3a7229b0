import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../adapters/embedding/model-tokenizer'
import { parseQuery } from './parse-query'

const tokenizer = createTokenizer(resolve(import.meta.dirname, '../../../../models/all-MiniLM-L6-v2'))

describe('parseQuery', () => {
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
    expect(parseQuery(query, tokenizer).words).toEqual(words)
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
  ])('detects English: %s', (query) => {
    expect(parseQuery(query, tokenizer).isEnglish).toBe(true)
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
  ])('detects another language: %s', (query) => {
    expect(parseQuery(query, tokenizer).isEnglish).toBe(false)
  })

  test('counts tokens per word', () => {
    expect(parseQuery('reset the password', tokenizer).tokensPerWord).toBe(1)
    expect(parseQuery('Konstantynopolitańczykowianeczka', tokenizer).tokensPerWord).toBeGreaterThan(5)
    expect(parseQuery('', tokenizer).tokensPerWord).toBe(1)
  })
})
