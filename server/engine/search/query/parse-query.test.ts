import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../adapters/embedding/model-tokenizer'
import { vectorWeightFor } from '../ranking/vector-weight'
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
    // People address the firm whose site they search.
    ['Wann habt ihr geöffnet?', ['geöffnet']],
    ['kiedy jesteście otwarci', ['otwarci']],
    ['¿Cuándo estáis abiertos?', ['abiertos']],
    ['Quand êtes-vous ouverts ?', ['ouverts']],
    ['quando siete aperti', ['aperti']],
    ['Quando vocês estão abertos?', ['abertos']],
    ['wanneer zijn jullie open', ['open']],
    ['kdy máte otevřeno', ['otevřeno']],
    ['când aveți deschis', ['deschis']],
    ['πότε είστε ανοιχτά', ['ανοιχτά']],
    ['कंपनी कहाँ है', ['कंपनी']],
    ['公司地址在哪里？', ['公司地址']],
    ['电话号码是多少', ['电话号码']],
    ['会社の住所はどこですか', ['会社の住所']],
    ['회사 주소가 어디인가요', ['회사', '주소가']],
    ['บริษัทอยู่ที่ไหน', ['บริษัทอยู่']],
    ['什么', ['什么']],
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

describe('the language of a query with identifiers', () => {
  test.each([
    ['PayPal Zahlung fehlgeschlagen', ['de', 'en'], false],
    ['WordPress Plugin installieren', ['de'], false],
    ['YouTube wideo', ['pl'], false],
    ['PayPal payment failed', ['de', 'en'], true],
    ['WordPress', ['de'], true],
    ['parseQuery tokenizer', [], true],
  ])('%s in %j is English: %s', (query, languages, isEnglish) => {
    expect(parseQuery(query, tokenizer, languages).isEnglish).toBe(isEnglish)
  })
})

describe('scripts that the model has no words of', () => {
  test.each([
    ['Thai', 'บริษัทอยู่ที่ไหน', 'th'],
    ['Lao', 'ທີ່ຢູ່ບໍລິສັດ', 'lo'],
    ['Khmer', 'ក្រុមហ៊ុននៅឯណា', 'km'],
    ['Telugu', 'కంపెనీ ఎక్కడ ఉంది', 'te'],
    ['Amharic', 'የኩባንያው አድራሻ የት ነው', 'am'],
    ['Hindi', 'कंपनी कहाँ है', 'hi'],
    ['Bengali', 'কোম্পানি কোথায়', 'bn'],
    ['Georgian', 'სად არის კომპანია', 'ka'],
    ['Armenian', 'որտեղ է ընկերությունը', 'hy'],
  ])('%s weighs the cosine .2 at most, with the languages of the collection or without', (_, query, language) => {
    for (const languages of [[], [language], ['en', language]]) {
      const parsed = parseQuery(query, tokenizer, languages)
      expect(parsed.isEnglish).toBe(false)
      expect(vectorWeightFor({ ...parsed, isFoundName: false })).toBeLessThanOrEqual(0.2)
    }
  })

  test('Latin letters are read as words', () => {
    for (const query of ['où est le musée', 'gdzie jest muzeum', 'Đường đi ở đâu', 'Größe ändern'])
      expect(parseQuery(query, tokenizer, []).isReadByLetters).toBe(false)
  })
})
