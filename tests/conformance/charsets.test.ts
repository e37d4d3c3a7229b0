import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeHtml, encodingOf } from '../../server/engine/charset/decode-html'
import { declaredEncoding, encodingForLabel } from '../../server/engine/charset/meta-charset'
import { readSet, setFolder } from './sets'

const html5lib = setFolder('crawler/html5lib-tests/encoding')

/** What is read otherwise here, and why. */
const differences: Record<string, string> = {
  "<!DOCTYPE HTML>\n<script>document.write('<meta charset=\"ISO-8859-' + '2\">')</script>":
    'No scripts are run; the page itself is ASCII.',
}

describe.skipIf(html5lib === null)('the encodings of html5lib-tests', () => {
  it('are found as there, but for those with a reason', () => {
    const files = ['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat', 'scripted/tests1.dat']
    const cases = files.flatMap((file) => casesOf(readSet(html5lib, file)))
    const differing = cases.filter(({ data, encoding }) => {
      const hasMark = data[0] === 0xef
      // There, pages that say nothing are windows-1252; here they are detected.
      return (
        (hasMark ? encodingOf(data, '') : (declaredEncoding(data) ?? 'windows-1252')) !== encodingForLabel(encoding)
      )
    })
    expect(cases).toHaveLength(83)
    expect(differing.map(({ data }) => data.toString())).toEqual(Object.keys(differences))
  })

  it('are detected: the sample of Chardet', () => {
    expect(encodingOf(readSet(html5lib, 'chardet/test_big5.txt'), '')).toBe('big5')
  })
})

const chardet = setFolder('charset-chardet')
const noSuchDecoder = 'Not an encoding of the web standard: nothing decodes it.'
const otherEncodings: Record<string, string> = {
  'EUC-TW': noSuchDecoder,
  IBM855: noSuchDecoder,
  Johab: noSuchDecoder,
  'UTF-32': noSuchDecoder,
  'UTF-32BE': noSuchDecoder,
  'UTF-32LE': noSuchDecoder,
  'iso-2022-kr': 'The web standard forbids to decode it.',
}
/** Folders that are not called as the web standard calls the encoding. */
const labels: Record<string, string> = {
  CP932: 'shift_jis',
  CP949: 'euc-kr',
  GB2312: 'gb18030',
  MacCyrillic: 'x-mac-cyrillic',
  MacRoman: 'macintosh',
  'utf-8-sig': 'utf-8',
}

describe.skipIf(chardet === null)('427 texts in 51 encodings', () => {
  it('are decoded as labelled where the web knows the encoding, 97 % of them', () => {
    const wrong: string[] = []
    let all = 0
    for (const entry of readdirSync(chardet ?? '.', { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name in otherEncodings) continue
      // 'iso-8859-2-polish' names the language behind the encoding.
      const label = labels[entry.name] ?? entry.name.replace(/-[a-z]{5,}$/, '')
      for (const file of readdirSync(`${chardet}/${entry.name}`)) {
        all++
        const body = readSet(chardet, `${entry.name}/${file}`)
        if (decodeHtml(body, '') !== decodeHtml(body, `text/html; charset=${label}`))
          wrong.push(`${entry.name}/${file}`)
      }
    }
    expect(all).toBe(395)
    expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(all * 0.03)
  })
})

/** '#data' with any bytes, then '#encoding' with a label. */
function casesOf(file: Buffer): { data: Buffer; encoding: string }[] {
  const parts = file
    .toString('latin1')
    .split(/^#data\n/m)
    .slice(1)
  return parts.map((part) => {
    const [data = '', encoding = ''] = part.split(/\n?^#encoding\n/m)
    return { data: Buffer.from(data, 'latin1'), encoding: encoding.split('\n')[0] ?? '' }
  })
}
