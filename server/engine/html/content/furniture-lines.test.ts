import { expect, it } from 'vitest'
import { isFurnitureLine } from './furniture-lines'

it.each([
  'Image 1 of 8',
  'Bild 3 von 10',
  'Photo 2/5',
  'Close',
  'Schließen',
  'Advertisement',
  'Photo: A. Name',
  '(Foto: A. Name/Agency)',
  'Share on Facebook',
  'Share this article via WhatsApp',
  'Auf Facebook teilen',
  'Tweet',
  'Facebook Twitter E-Mail',
  'Tags: oil, wicks, lamps',
])('drops "%s" from an article', (line) => {
  expect(isFurnitureLine(line)).toBe(true)
})

it.each([
  '3 of 8',
  'Close to the station',
  'Photo contest: send us yours by 3 May',
  'Photography by night',
  'Share capital: 25,000 €',
  'Sharing is caring.',
  'Facebook',
  'Facebook: lumen.example',
  'Price per night: 120 €',
  'The photo: what it shows, why it was taken, and what became of all the people who are in it.',
])('keeps "%s"', (line) => {
  expect(isFurnitureLine(line)).toBe(false)
})
