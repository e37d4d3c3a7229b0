import { describe, expect, it } from 'vitest'
import { contactKindsIn } from './contact-patterns'

describe('contactKindsIn', () => {
  it.each([
    ['Tel. 071-555 01 00', ['telephone']],
    ['+48 22 123 45 67', ['telephone']],
    ['Telefon (030) 555 01 00', ['telephone']],
    ['(555) 555-0100', ['telephone']],
    ['help@lumen.example', ['mail']],
    ['ul. Kwiatowa 5, 00-950 Warszawa', ['address']],
    ['Market 1, 2312 Leiden', ['address']],
    ['10 Downing Street, London SW1A 2AA', ['address']],
    ['Hauptstraße 7, 10115 Berlin', ['address']],
    ['pn.–pt. 9:00–17:00', ['hours']],
    ['Mo-Fr 9-17 Uhr', ['hours']],
    ['Godziny otwarcia: od 8 do 16', ['hours']],
    ['营业时间 9:00-18:00', ['hours']],
    ['lamp@2x.png', []],
    ['11 November, 18:00, town hall', []],
    ['1998-2026', []],
    ['Pages 12-14', []],
    ['Order 555 010 0200 41', []],
  ])('%s', (text, kinds) => {
    expect(contactKindsIn(text)).toEqual(kinds)
  })

  it('takes the heading into account', () => {
    expect(contactKindsIn('9:00-17:00', 'Öffnungszeiten')).toEqual(['hours'])
    expect(contactKindsIn('9:00-17:00', 'Results')).toEqual([])
  })

  it.each(['a@', '+1 ', '1 to ', 'a.', '00 1', 'Tel ', '12345 A'])('reads many of %s in linear time', (part) => {
    expect(() => contactKindsIn(part.repeat(20_000))).not.toThrow()
  })
})
