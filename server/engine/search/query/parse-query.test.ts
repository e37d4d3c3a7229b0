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
    ['NOT (operator)', ['not', 'operator']],
    ['Any', ['any']],
    ['lag', ['lag']],
    ['for in loop', ['for', 'in', 'loop']],
    ['"all" function', ['all', 'function']],
    ['`any` type', ['any', 'type']],
    ['do() block', ['do', 'block']],
    ['HOW TO SET IT', ['set']],
    ['What is oxygen', ['oxygen']],
    ['co to jest tlen', ['tlen']],
    ['Which of these fields must NOT be empty in the form?', ['fields', 'empty', 'form']],
    ['?!', []],
    ['', []],
    ['___', []],
  ])('%s', (query, words) => {
    expect(parseQuery(query, tokenizer, []).words).toEqual(words)
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
    expect(parseQuery(query, tokenizer, []).isEnglish).toBe(true)
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
    expect(parseQuery(query, tokenizer, []).isEnglish).toBe(false)
  })

  test.each([
    ['systemd', ['en'], true],
    ['lag', ['en'], true],
    ['Any', ['en'], true],
    ['ustawienia', ['en'], true],
    ['laptop', ['pl'], false],
    ['systemd', ['pl'], false],
    ['systemd', ['de', 'en'], false],
    ['Silbentrennung', ['de', 'en'], false],
    ['Wie kann ich Einstellungen ändern?', ['en'], false],
    ['How do I reset my password?', ['pl'], true],
    ['os.path.join', ['pl'], true],
    ['den driver', ['en'], true],
  ])('reads %s in a collection of %s: English is %s', (query, languages, isEnglish) => {
    expect(parseQuery(query, tokenizer, languages).isEnglish).toBe(isEnglish)
  })

  test('counts tokens per word', () => {
    expect(parseQuery('reset the password', tokenizer, []).tokensPerWord).toBe(1)
    expect(parseQuery('Konstantynopolitańczykowianeczka', tokenizer, []).tokensPerWord).toBeGreaterThan(5)
    expect(parseQuery('', tokenizer, []).tokensPerWord).toBe(1)
  })
})
