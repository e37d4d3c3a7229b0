import { expect, it } from 'vitest'
import type { PageElement } from './element'
import { parsePage } from './parse'
import { isHidden } from './visibility'

const words = 'Words that nobody is to see, and that are too many for a label of those who listen to a page.'

function first(html: string): PageElement {
  const [element] = parsePage(html).body.children
  if (!element || typeof element === 'string') throw new Error('There is no element.')
  return element
}

it.each([
  'hidden',
  'aria-hidden="true"',
  'style="DISPLAY : none !important"',
  'style="color:red;visibility:hidden"',
  'style="position:absolute;left:-9999px"',
  'style="top:-100em"',
  'style="text-indent: -999px"',
  'style="font-size:0"',
  'style="font-size:1px"',
  'style="font-size:.01em"',
  'style="color:transparent"',
  'style="color: rgba(0, 0, 0, 0)"',
  'style="height:0;overflow:hidden"',
  'style="opacity:0;position:absolute"',
  'style="opacity: 0.0; pointer-events:none"',
  'style="opacity:0;height:0"',
  'style="position:absolute;clip:rect(0, 0, 0, 0)"',
  'style="clip:rect(1px 1px 1px 1px)"',
  'style="clip-path:inset(50%)"',
  'style="width:1px;height:1px;overflow:hidden"',
])('hides text with %s', (attribute) => {
  expect(isHidden(first(`<p ${attribute}>${words}</p>`))).toBe(true)
})

it.each([
  'hidden="until-found"',
  'aria-hidden="false"',
  'style="margin-top:-100px"',
  'style="margin-left: -1500px"',
  'style="background-position-left:-1200px"',
  'style="left:-100%"',
  'style="position:relative;top:-120px"',
  'style="opacity:0;transform:translateY(20px)"',
  'style="opacity:0"',
  'style="opacity:0.9;position:absolute"',
  'style="font-size:0.9em"',
  'style="color:transparent;-webkit-background-clip:text;background-clip:text"',
  'style="height:0;padding-bottom:50%;overflow:hidden"',
  'style="max-height:0"',
  'style="height:0"',
  'style="clip:rect(0,100px,200px,0)"',
  'style="overflow:hidden;height:1px"',
])('shows text with %s', (attribute) => {
  expect(isHidden(first(`<p ${attribute}>${words}</p>`))).toBe(false)
})

it('shows a clipped label', () => {
  expect(isHidden(first('<p style="clip:rect(0,0,0,0)">Opening hours</p>'))).toBe(false)
})

it('shows children that restore size or color', () => {
  expect(isHidden(first('<div style="font-size:0"><p style="font-size:14px">Seen</p></div>'))).toBe(false)
  expect(isHidden(first('<div style="font-size:0"><p style="color:red">Not seen</p></div>'))).toBe(true)
  expect(isHidden(first('<img style="color:transparent" alt="A lamp in a hall">'))).toBe(false)
})

it.each([`rgba(${'0,'.repeat(500_000)}`, `rect(${' '.repeat(500_000)}`, ';'.repeat(500_000), '1'.repeat(500_000)])(
  'decides in linear time (%#)',
  (value) => {
    expect(isHidden(first(`<p style="color:${value};clip:${value};font-size:${value}">x</p>`))).toBe(false)
  },
)
