import { describe, expect, test } from 'vitest'
import { identifiersIn, nameParts, symbolNames } from './identifiers'

describe('identifiersIn', () => {
  test.each([
    ['Where is HX-7731?', [['hx', '7731']]],
    ['since v2.1', [['v2', '1']]],
    ['asyncio.create_task()', [['asyncio', 'create', 'task']]],
    [
      'foo::bar and /etc/passwd',
      [
        ['foo', 'bar'],
        ['etc', 'passwd'],
      ],
    ],
    ['git --no-verify', [['no', 'verify']]],
    ['C++ or C#', [['cplusplus'], ['csharp']]],
    ['v2.1, v2.1 and V2.1.', [['v2', '1']]],
  ])('%s', (query, identifiers) => expect(identifiersIn(query)).toEqual(identifiers))

  test.each(['and/or', 'a well-known sentence.', 'e.g. this', '密码-重置', `1-${'x'.repeat(300)}`, ''])(
    'finds none in %s',
    (query) => expect(identifiersIn(query)).toEqual([]),
  )

  test('limits the number of identifiers', () => {
    expect(identifiersIn('a.b '.repeat(5_000)).length).toBeLessThanOrEqual(50)
  })
})

test.each([
  ['createHttpServer', ['create', 'Http', 'Server']],
  ['HTTPServer', ['HTTP', 'Server']],
  ['HX7731', ['HX', '7731']],
  ['SHA256', ['SHA', '256']],
  ['lamp', []],
  ['h2', []],
])('nameParts of %s', (name, parts) => expect(nameParts(name)).toEqual(parts))

test.each([
  ['Written in C++, not in C#', ['cplusplus', 'csharp']],
  ['.NET and ASP.NET', ['dotnet']],
  ['a + b, #1', []],
])('symbolNames of %s', (text, names) => expect(symbolNames(text)).toEqual(names))
