import { expect, it } from 'vitest'
import { largestFile } from '../../../contract/file'
import { refusalOf } from './file-refusal'

it('names the file that is too large', () => {
  expect(refusalOf({ name: 'prices.csv', size: largestFile + 1 })).toEqual({
    title: "Cannot upload file, it's too big",
    message: 'Try uploading a file that is smaller than 64 MB!',
    sentence: "prices.csv: Cannot upload file, it's too big. Try uploading a file that is smaller than 64 MB!",
  })
})

it('names the file of a type that is not read', () => {
  expect(refusalOf({ name: 'picture.png', size: 1 })?.sentence).toContain(
    'Files like picture.png are not read. Use .txt',
  )
})

it('takes what fits', () => {
  expect(refusalOf({ name: 'prices.csv', size: largestFile })).toBeNull()
})
