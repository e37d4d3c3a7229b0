import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../db/database'
import { engine } from '../../../db/engine'
import { createTokenizer } from '../../../server/adapters/embedding/model-tokenizer'
import type { IndexedText, KeywordHits, TextIndex } from '../../../server/engine/ports/search-index'
import { parseQuery } from '../../../server/engine/search/query/parse-query'
import { openSearchStore, type SearchStore } from '../../support/database/search-store'

const tokenizer = createTokenizer(resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2'))

describe(`TextIndex: ${engine === 'sqlite' ? 'SQLite' : 'OpenSearch'}`, () => {
  let opened: SearchStore
  let index: TextIndex<Transaction>
  let number = 0
  let collection = ''

  beforeAll(async () => {
    opened = await openSearchStore({ rehearse: true })
    index = opened.textIndex
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    collection = crypto.randomUUID()
  })

  async function add(...fragments: (Partial<IndexedText> & { text: string })[]): Promise<number[]> {
    const rows = fragments.map((fragment) => ({
      key: ++number,
      collectionId: collection,
      title: '',
      headings: '',
      ...fragment,
    }))
    await opened.database.write((tx) => index.add(tx, rows))
    return rows.map(({ key }) => key)
  }

  async function search(query: string, limit = 10, among?: ReadonlySet<number>): Promise<KeywordHits> {
    await opened.deliver()
    return index.search(collection, parseQuery(query, tokenizer, []), limit, among)
  }

  async function found(query: string, limit = 10): Promise<number[]> {
    return (await search(query, limit)).hits.map(({ key }) => key)
  }

  test('matches any of the words, best first, with positive scores', async () => {
    const [first, both] = await add(
      { text: 'a lamp on the table' },
      { text: 'a lamp and its shade' },
      { text: 'nothing here' },
    )
    const { hits } = await search('lamp shade')
    expect(hits.map(({ key }) => key)).toEqual([both, first])
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score)
    expect(hits[1]!.score).toBeGreaterThan(0)
    expect(await found('lamp shade', 1)).toEqual([both])
  })

  test('weighs titles over headings over text', async () => {
    const [text, headings, title] = await add(
      { text: 'gasket', headings: 'other', title: 'other' },
      { text: 'other', headings: 'gasket', title: 'other' },
      { text: 'other', headings: 'other', title: 'gasket' },
    )
    expect(await found('gasket')).toEqual([title, headings, text])
  })

  test('weighs identifiers in titles over those in texts', async () => {
    const filler = 'of the other kind'
    const [text, title] = await add(
      { title: filler, text: 'max_total_tokens and more' },
      { title: 'max_total_tokens and more', text: filler },
    )
    expect(await found('max_total_tokens')).toEqual([title, text])
  })

  test('keeps collections apart', async () => {
    await add({ text: 'shared word', collectionId: 'other' })
    expect(await found('shared')).toEqual([])
    const [mine] = await add({ text: 'shared word' })
    expect(await found('shared')).toEqual([mine])
    // A query cannot name a collection.
    expect(await found(`c${Buffer.from('other').toString('hex')}`)).toEqual([])
    expect(await found('collection:other')).toEqual([])
  })

  test('removes fragments, and replaces those that are added again', async () => {
    const [first, second] = await add({ text: 'ephemeral one' }, { text: 'ephemeral two' })
    await opened.database.write((tx) => index.remove(tx, collection, [first!]))
    expect(await found('ephemeral')).toEqual([second])
    await opened.database.write((tx) =>
      index.add(tx, [{ key: second!, collectionId: collection, title: '', headings: '', text: 'lasting' }]),
    )
    expect(await found('ephemeral')).toEqual([])
    expect(await found('lasting')).toEqual([second])
    await opened.database.write((tx) => index.remove(tx, collection, []))
  })

  test('does not index a transaction that failed', async () => {
    const failing = opened.database.write(async (tx) => {
      await index.add(tx, [{ key: ++number, collectionId: collection, title: '', headings: '', text: 'phantom' }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await found('phantom')).toEqual([])
  })

  test.each([
    ['an English form', 'How are pages being indexed?', 'The indexing of a page'],
    ['a German form', 'Welche Bestellungen werden geliefert?', 'Die Bestellung wird bald kommen'],
    ['a Polish form', 'Jak zmienić ustawienia powiadomień?', 'Strona ustawień i powiadomienia'],
    ['a Russian form', 'Как изменить настройки уведомлений?', 'Настройка уведомления в профиле'],
    ['diacritics left out', 'cafe', 'Le café du coin'],
    ['diacritics put in', 'Größe ändern', 'GROSSE Grosse: die grosse andern'],
    ['Chinese', '如何重置密码', '您可以在设置中重置密码。'],
    ['Japanese', 'パスワードを変更', 'アカウントのパスワードの変更方法'],
    ['a whole identifier', 'asyncio.create_task', 'Call asyncio.create_task(coro) to start'],
    ['a part of an identifier with underscores', 'create task', 'Call create_task(coro)'],
    ['a part of an identifier with humps', 'create server', 'Call createHttpServer() or HTTPServer'],
    ['an identifier with humps, in lower case', 'createserver', 'Call createServer()'],
    ['a flag', '--no-verify', 'Use git commit --no-verify'],
    ['a version', 'v3.11.2', 'Changed in version v3.11.2'],
    ['a code without its sign', 'HX7731', 'Order the HX-7731 gasket'],
    ['a part of a code', '7731', 'Order the HX-7731 gasket'],
    ['a code with a sign that it does not have', 'E-1042', 'Error E1042 means that the pump is dry'],
    ['a setting by some of its words', 'total output', 'Set max_total_output_tokens'],
    ['a part of a name with digits', 'sha 256', 'Compare the SHA256 sum'],
    ['a path', '/etc/passwd', 'See /etc/passwd for users'],
    ['a name distinguished by its plus signs', 'C++', 'Written in C++ today'],
    ['a name distinguished by a number sign', 'c#', 'Written in C# today'],
    ['a name distinguished by its dot', '.NET', 'Written for .NET today'],
    ['Korean with another ending', '비밀번호를 변경', '비밀번호는 설정에서 변경할 수 있습니다.'],
    ['Thai', 'เปลี่ยนรหัสผ่าน', 'คุณสามารถเปลี่ยนรหัสผ่านได้ในการตั้งค่า'],
    ['one sign of Chinese', '码', '您可以在设置中重置密码。'],
    ['letters that Unicode does not fold', 'lodz strasse kobenhavn', 'Łódź'],
    ['a sharp s', 'strasse', 'Straße'],
    ['full width', 'API', 'ＡＰＩ の使い方'],
    ['a Greek form', 'ρυθμίσεις', 'Οι ρυθμίσεων της εφαρμογής'],
    ['an Arabic word without its article', 'كتاب', 'الكتاب الجديد'],
    ['a letter too many', 'configurration', 'The configuration of the pump'],
    ['a letter too few', 'gaket', 'a gasket'],
    ['a wrong letter', 'gaskit', 'a gasket'],
    ['two letters swapped', 'gaksets', 'two gaskets'],
    ['two wrong letters in a long word', 'authentikazion', 'The authentication of users'],
    ['a misspelled German word', 'Bestelung ändern', 'Die Bestellungen im Überblick'],
    ['a misspelled Russian word', 'Как изменить настроики?', 'Настройка уведомления в профиле'],
    ['an incomplete word', 'Rechnun', 'Ihre Rechnungen liegen bei'],
    ['a short incomplete word', 'Rech', 'Ihre Rechnung liegt bei'],
    ['an incomplete word of an English text', 'warr', 'The warranty of the lamp is what you get with it'],
    ['the plural of a short word', 'Säge', 'Neue Sägen aus Stahl'],
    ['stop words alone', 'to be or not to be', 'to be'],
    ['upper case', 'GASKETS', 'a gasket'],
  ])('finds %s', async (_, query, text) => {
    const [key] = await add({ text }, { text: 'zzz qqq' })
    expect(await found(query)).toEqual([key])
  })

  test.each([
    ['a code', 'gasket HX-7731', 'The HX-7731 gasket', 'The gasket HX 12, see also part 7731 and gasket HX'],
    ['a version', 'v2.1', 'Since v2.1', 'v2 has 1 part, and v2 is 1 of these'],
    [
      'a setting',
      'max_total_tokens',
      'The max_total_tokens of a model',
      'The max of the total: max tokens, total tokens',
    ],
  ])('ranks %s as a whole before its parts', async (_, query, whole, parts) => {
    const [second, first] = await add({ text: parts }, { text: whole })
    expect(await found(query)).toEqual([first, second])
  })

  describe('in an English manual, of whose fragments one is not recognized as English', () => {
    const statement = 'ALTER SYSTEM SET parameter TO value'
    const manual = 'It is started by systemd, which is the service manager of this machine, as with the others'
    const others = Array.from({ length: 20 }, (_, n) => ({ text: `The page ${n} of this manual is about the rest` }))

    test('does not match a word by its prefix', async () => {
      const [, page] = await add({ title: statement, text: statement }, { text: manual }, ...others)
      await opened.deliver()
      const { hits } = await index.search(collection, parseQuery('systemd', tokenizer, ['en']), 10)
      expect(hits.map(({ key }) => key)).toEqual([page])
    })

    test('counts the stem of a foreign word nearly as much as its prefix', async () => {
      const [prefixed, page] = await add({ text: statement }, { text: `${manual}: systemd` }, ...others)
      expect(await found('systemd')).toEqual([page, prefixed])
    })
  })

  test('does not correct a word that occurs', async () => {
    const [right] = await add({ text: 'a basket of fruit' }, { text: 'a gasket' })
    expect(await found('basket')).toEqual([right])
    expect(await found('zzz')).toEqual([])
  })

  test('returns the expansions of missing words', async () => {
    await add({ text: 'The gaskets of HX-7731' })
    expect((await search('gaskett HX7731')).expansions).toEqual(
      new Map([
        ['gaskett', { words: ['gaskets'], reason: 'misspelling' }],
        ['hx7731', { words: ['hx', '7731'], reason: 'parts' }],
      ]),
    )
    expect((await search('gaskets')).expansions).toEqual(new Map())
  })

  test('completes a word rather than correct it', async () => {
    const [key] = await add({ text: 'The warranty of the lamp is what you get with it' }, { text: 'Gute Ware hier' })
    const { hits, expansions } = await search('warr')
    expect(hits.map((hit) => hit.key)).toEqual([key])
    expect(expansions).toEqual(new Map([['warr', { words: ['warranty'], reason: 'prefix' }]]))
  })

  test('does not correct by a shared prefix alone', async () => {
    await add({ text: 'Eine Schraube aus Messing' })
    expect((await search('schärfen')).expansions).toEqual(new Map())
  })

  test('does not complete a prefix of hundreds of words', async () => {
    const endings = Array.from(
      { length: 300 },
      (_, n) => `${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}tiv`,
    )
    await add(...endings.map((ending) => ({ text: `Das ist sehr dekor${ending} gemacht` })))
    expect(await found('deko')).toEqual([])
  })

  test('corrects a short word by likely typing errors only', async () => {
    await add({ text: 'Die Kosten, Karten und Tasten' })
    expect((await search('Kasten')).expansions).toEqual(new Map())
  })

  test('corrects to a word that occurs, rather than to a stem', async () => {
    await add({ text: 'Die Paddelei der Gäste' })
    const { expansions } = await search('padddeln')
    expect(expansions).toEqual(new Map([['padddeln', { words: ['paddelei'], reason: 'misspelling' }]]))
  })

  test('ranks terms that have become common', async () => {
    await add(...Array.from({ length: 1_100 }, () => ({ text: 'a pump' })))
    await found('pump valve')
    const valves = Array.from({ length: 3_000 }, (_, n) => ({ text: `a pump and a valve ${n % 50 ? '' : 'gasket'}` }))
    await add(...valves)
    const { hits } = await search('valve pump gasket', 100)
    expect(hits.every(({ score }) => score > 0)).toBe(true)
  })

  test('corrects to words of the collection only', async () => {
    await add({ text: 'the lighthouse', collectionId: 'elsewhere' })
    expect(await found('lighthuose')).toEqual([])
  })

  test('ranks by the document frequency in the collection', async () => {
    const others = Array.from({ length: 60 }, () => ({ text: 'the pump', collectionId: 'pumps' }))
    await add(...others)
    const [pump] = await add({ text: 'pump' }, ...Array.from({ length: 20 }, () => ({ text: 'valve' })))
    expect((await found('valve pump'))[0]).toBe(pump)
  })

  test('ranks fragments with several common terms first', async () => {
    const batch = Array.from({ length: 4_000 }, (_, n) => ({ text: `server option ${n % 7 === 0 ? 'value' : 'name'}` }))
    const [best] = await add({ title: 'Server option value', text: 'server option value of a pump' }, ...batch)
    expect((await found('server option value'))[0]).toBe(best)
    expect(await found('server')).toHaveLength(10)
    expect((await found('server option pump'))[0]).toBe(best)
  })

  test('restricts the search to given fragments', async () => {
    const keys = await add(...Array.from({ length: 30 }, (_, n) => ({ text: `lamp ${n}` })))
    const among = new Set(keys.slice(3, 6))
    const { hits } = await search('lamp', 10, among)
    expect(new Set(hits.map(({ key }) => key))).toEqual(among)
    expect((await search('lamp', 10, new Set())).hits).toEqual([])
  })

  test('ignores stop words', async () => {
    await add({ text: 'what is the best of these' })
    expect(await found('What is the price?')).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['spaces', ' \n\t '],
    ['marks', '"\'`*^:(){}[]-+!?'],
    ['a quote that is not closed', '"lamp'],
    ['operators', 'AND OR NOT NEAR('],
    ['a column', 'title: lamp'],
    ['a star', '*'],
    ['control characters', '\u0000\u0001\u001f'],
    ['half a pair', '\ud800'],
    ['marks alone', '\u0301\u0301'],
    ['emoji', '👩‍👩‍👧‍👦'],
    ['underscores', '_ __ ___'],
    ['10,000 characters', 'lamp shade '.repeat(910)],
    ['one word of 10,000 characters', 'x'.repeat(10_000)],
    ['10,000 characters without spaces', '密码重置'.repeat(2_500)],
    ['1,000 words', Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(' ')],
    ['a statement', "'; drop table fragment_words; --"],
  ])('accepts any query: %s', async (_, query) => {
    await add({ text: 'a lamp' })
    expect((await search(query)).hits).toBeInstanceOf(Array)
  })

  test('indexes many fragments at once', async () => {
    await add(...Array.from({ length: 2_000 }, (_, n) => ({ text: `entry ${n} ${'lorem ipsum '.repeat(50)}` })))
    expect(await found('entry 1234')).toHaveLength(10)
    expect((await search('1234')).hits).toHaveLength(1)
  })
})
