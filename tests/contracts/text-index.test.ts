import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../db/database'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import type { IndexedWords, TextIndex } from '../../server/engine/ports'
import { createQueryReader } from '../../server/engine/search/parse-query'
import { type IndexDatabase, openIndexDatabase } from '../support/index-database'

const readQuery = createQueryReader(createTokenizer(resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')))

describe('TextIndex: SQLite', () => {
  let opened: IndexDatabase
  let index: TextIndex<Transaction>
  let number = 0
  let here = ''

  beforeAll(async () => {
    opened = await openIndexDatabase()
    index = createSqliteTextIndex({ search: opened.search, readQuery })
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    here = crypto.randomUUID()
  })

  async function add(...fragments: (Partial<IndexedWords> & { text: string })[]): Promise<number[]> {
    const rows = fragments.map((one) => ({ key: ++number, collectionId: here, title: '', headings: '', ...one }))
    await opened.database.write((tx) => index.add(tx, rows))
    return rows.map(({ key }) => key)
  }

  async function found(query: string, limit = 10): Promise<number[]> {
    return (await index.search(here, query, limit)).hits.map(({ key }) => key)
  }

  test('finds by any of the words, best first, with positive scores', async () => {
    const [one, both] = await add(
      { text: 'a lamp on the table' },
      { text: 'a lamp and its shade' },
      { text: 'nothing here' },
    )
    const { hits } = await index.search(here, 'lamp shade', 10)
    expect(hits.map(({ key }) => key)).toEqual([both, one])
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score)
    expect(hits[1]!.score).toBeGreaterThan(0)
    expect(await found('lamp shade', 1)).toEqual([both])
  })

  test('weighs title over headings over text', async () => {
    const [text, headings, title] = await add(
      { text: 'gasket', headings: 'other', title: 'other' },
      { text: 'other', headings: 'gasket', title: 'other' },
      { text: 'other', headings: 'other', title: 'gasket' },
    )
    expect(await found('gasket')).toEqual([title, headings, text])
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

  test('forgets what is removed and replaces what is added again', async () => {
    const [first, second] = await add({ text: 'ephemeral one' }, { text: 'ephemeral two' })
    await opened.database.write((tx) => index.remove(tx, [first!]))
    expect(await found('ephemeral')).toEqual([second])
    await opened.database.write((tx) =>
      index.add(tx, [{ key: second!, collectionId: here, title: '', headings: '', text: 'lasting' }]),
    )
    expect(await found('ephemeral')).toEqual([])
    expect(await found('lasting')).toEqual([second])
    await opened.database.write((tx) => index.remove(tx, []))
  })

  test('shows nothing of a transaction that failed', async () => {
    const failing = opened.database.write(async (tx) => {
      await index.add(tx, [{ key: ++number, collectionId: here, title: '', headings: '', text: 'phantom' }])
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
    ['a name told by its signs', 'C++', 'Written in C++ today'],
    ['a name told by a sharp', 'c#', 'Written in C# today'],
    ['a name told by a dot', '.NET', 'Written for .NET today'],
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
    ['a misspelt German word', 'Bestelung ändern', 'Die Bestellungen im Überblick'],
    ['a misspelt Russian word', 'Как изменить настроики?', 'Настройка уведомления в профиле'],
    ['a compound by its last word', 'Kasten', 'Ein Werkzeugkasten aus Stahl'],
    ['a compound by its last word in the plural', 'Kästen', 'Ein Werkzeugkasten aus Stahl'],
    ['compounds in the plural by their last word', 'Lampe', 'Die Taschenlampen im Keller'],
    ['a compound whose last word is one of English, too', 'Regal', 'Ein Bücherregal aus Eiche'],
    ['a Dutch compound', 'pomp', 'De warmtepomp in huis'],
    ['a Swedish compound', 'väska', 'En ryggsäck och en handväska till salu'],
    ['an incomplete word', 'Rechnun', 'Ihre Rechnungen liegen bei'],
    ['a short incomplete word', 'Rech', 'Ihre Rechnung liegt bei'],
    ['an incomplete word of an English text', 'warr', 'The warranty of the lamp is what you get with it'],
    ['the plural of a short word', 'Säge', 'Neue Sägen aus Stahl'],
    ['a compound in the plural beside words that begin alike', 'Schrank', 'Ein Schraubendreher und Schubladenschränke'],
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
  ])('puts %s as it was written before its parts', async (_, query, whole, parts) => {
    const [second, first] = await add({ text: parts }, { text: whole })
    expect(await found(query)).toEqual([first, second])
  })

  test('takes no word that is there for a misspelt one', async () => {
    const [right] = await add({ text: 'a basket of fruit' }, { text: 'a gasket' })
    expect(await found('basket')).toEqual([right])
    expect(await found('zzz')).toEqual([])
  })

  test('says what it looked for in place of what stands nowhere', async () => {
    await add({ text: 'The gaskets of HX-7731' })
    expect((await index.search(here, 'gaskett HX7731', 10)).instead).toEqual(
      new Map([
        ['gaskett', { words: ['gaskets'], because: 'misspelt' }],
        ['hx7731', { words: ['hx', '7731'], because: 'parts' }],
      ]),
    )
    expect((await index.search(here, 'gaskets', 10)).instead).toEqual(new Map())
  })

  test('takes a word for the end of compounds before it takes it for a misspelt one', async () => {
    const [kasten] = await add({ text: 'Ein Werkzeugkasten aus Stahl' }, { text: 'Die Kosten, Karten und Tasten' })
    const { hits, instead } = await index.search(here, 'Kasten', 10)
    expect(hits.map(({ key }) => key)).toEqual([kasten])
    expect(instead).toEqual(
      new Map([['kasten', { words: ['werkzeugkasten'], ends: ['kasten'], because: 'compounds' }]]),
    )
  })

  test('puts a word before compounds that end with it, and finds these beside words that begin like it', async () => {
    const [compound, begins, word] = await add(
      { text: 'Eine Handtasche aus Leder' },
      { text: 'Eine Taschenlampe aus Blech' },
      { text: 'Eine Tasche aus Leinen' },
    )
    const { hits, instead } = await index.search(here, 'Tasche', 10)
    expect(new Set(hits.map(({ key }) => key))).toEqual(new Set([compound, begins, word]))
    expect(hits[0]?.key).toBe(word)
    expect(instead.get('tasche')?.words).toEqual(['tasche', 'handtasche'])
  })

  test('finds a word and its forms beside compounds that end with it', async () => {
    const keys = await add(
      { text: 'Eine Handkreissäge aus Stahl' },
      { text: 'Neue Sägen für Holz' },
      { text: 'Schubladenschränke aus Eiche' },
      { text: 'Ein Kleiderschrank aus Eiche' },
    )
    expect(new Set(await found('Säge'))).toEqual(new Set(keys.slice(0, 2)))
    expect((await index.search(here, 'Säge', 10)).instead.get('sage')?.words).toEqual(['sage', 'handkreissage'])
    expect(new Set(await found('Schrank'))).toEqual(new Set(keys.slice(2)))
  })

  test('says that a word was not typed to its end, and does not correct it', async () => {
    const [key] = await add({ text: 'The warranty of the lamp is what you get with it' }, { text: 'Gute Ware hier' })
    const { hits, instead } = await index.search(here, 'warr', 10)
    expect(hits.map((hit) => hit.key)).toEqual([key])
    expect(instead).toEqual(new Map([['warr', { words: ['warranty'], begins: true, because: 'beginning' }]]))
  })

  test('makes no word of another by the first letters alone', async () => {
    await add({ text: 'Eine Schraube aus Messing' })
    expect((await index.search(here, 'schärfen', 10)).instead).toEqual(new Map())
  })

  test('takes what ends hundreds of words for no word', async () => {
    const first = Array.from(
      { length: 300 },
      (_, n) => `${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}ffen`,
    )
    await add(...first.map((one) => ({ text: `Die ${one}schaft der Leute` })))
    expect(await found('Schaft')).toEqual([])
  })

  test('makes no other short word of one by its first vowel, its first letter or a letter from far away', async () => {
    await add({ text: 'Die Kosten, Karten und Tasten' })
    expect((await index.search(here, 'Kasten', 10)).instead).toEqual(new Map())
  })

  test('tells a word that stands in the texts in place of a misspelt one', async () => {
    await add({ text: 'Die Paddelei der Gäste' })
    const { instead } = await index.search(here, 'padddeln', 10)
    expect(instead).toEqual(new Map([['padddeln', { words: ['paddelei'], because: 'misspelt' }]]))
  })

  test('ranks by words whose number grew since it was remembered', async () => {
    await add(...Array.from({ length: 1_100 }, () => ({ text: 'a pump' })))
    await found('pump valve')
    const valves = Array.from({ length: 3_000 }, (_, n) => ({ text: `a pump and a valve ${n % 50 ? '' : 'gasket'}` }))
    await add(...valves)
    const { hits } = await index.search(here, 'valve pump gasket', 100)
    expect(hits.every(({ score }) => score > 0)).toBe(true)
  })

  test('corrects by the words of the collection only', async () => {
    await add({ text: 'the lighthouse', collectionId: 'elsewhere' })
    expect(await found('lighthuose')).toEqual([])
  })

  test('ranks by how rare a word is in its collection', async () => {
    const others = Array.from({ length: 60 }, () => ({ text: 'the pump', collectionId: 'pumps' }))
    await add(...others)
    const [pump] = await add({ text: 'pump' }, ...Array.from({ length: 20 }, () => ({ text: 'valve' })))
    expect((await found('valve pump'))[0]).toBe(pump)
  })

  test('finds what all of a large collection says, and what holds more of it first', async () => {
    const some = Array.from({ length: 4_000 }, (_, n) => ({ text: `server option ${n % 7 === 0 ? 'value' : 'name'}` }))
    const [best] = await add({ title: 'Server option value', text: 'server option value of a pump' }, ...some)
    expect((await found('server option value'))[0]).toBe(best)
    expect(await found('server')).toHaveLength(10)
    expect((await found('server option pump'))[0]).toBe(best)
  })

  test('looks among the fragments that a filter leaves', async () => {
    const keys = await add(...Array.from({ length: 30 }, (_, n) => ({ text: `lamp ${n}` })))
    const among = new Set(keys.slice(3, 6))
    const { hits } = await index.search(here, 'lamp', 10, among)
    expect(new Set(hits.map(({ key }) => key))).toEqual(among)
    expect((await index.search(here, 'lamp', 10, new Set())).hits).toEqual([])
  })

  test('leaves stop words out of the query', async () => {
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
  ])('takes any query: %s', async (_, query) => {
    await add({ text: 'a lamp' })
    expect((await index.search(here, query, 10)).hits).toBeInstanceOf(Array)
  })

  test('takes many fragments at once', async () => {
    await add(...Array.from({ length: 2_000 }, (_, n) => ({ text: `entry ${n} ${'lorem ipsum '.repeat(50)}` })))
    expect(await found('entry 1234')).toHaveLength(10)
    expect((await index.search(here, '1234', 10)).hits).toHaveLength(1)
  })
})
