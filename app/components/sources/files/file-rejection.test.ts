import { expect, it } from 'vitest'
import { maxFileBytes } from '../../../../contract/sources/file'
import { rejectionOf } from './file-rejection'

it('names the file that is too large', () => {
  expect(rejectionOf({ name: 'prices.csv', size: maxFileBytes + 1 })).toEqual({
    title: "Cannot upload file, it's too big",
    message: 'Try uploading a file that is smaller than 64 MB!',
    sentence: "prices.csv: Cannot upload file, it's too big. Try uploading a file that is smaller than 64 MB!",
  })
})

it('names the file of an unsupported type', () => {
  expect(rejectionOf({ name: 'picture.png', size: 1 })?.sentence).toContain(
    'picture.png: This file type is not supported. Use .txt',
  )
})

it('accepts a file at the limit', () => {
  expect(rejectionOf({ name: 'prices.csv', size: maxFileBytes })).toBeNull()
})
