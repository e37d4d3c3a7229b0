import { expect, it } from 'vitest'
import { testRandom } from '../../tests/support/test-random'
import { createSlidingWindow } from './sliding-window'

const windowMs = 60_000

function windowAt(max: number) {
  const clock = { time: 1_000 }
  const window = createSlidingWindow({ max, windowMs, now: () => clock.time })
  const take = async (key: string) => (await window.take(key)).waitMs
  async function admitted(count: number): Promise<number> {
    const waits = await Promise.all(Array.from({ length: count }, () => take('a')))
    return waits.filter((wait) => wait === null).length
  }
  return { clock, take, admitted }
}

it('admits no second burst around the end of a minute', async () => {
  const { clock, admitted } = windowAt(600)
  clock.time = 59_900
  expect(await admitted(1_000)).toBe(600)
  clock.time = 60_100
  expect(await admitted(1_000)).toBe(0)
  clock.time = 119_899
  expect(await admitted(1_000)).toBe(0)
  clock.time = 119_900
  expect(await admitted(1_000)).toBe(600)
})

it('frees room one by one, as admitted events leave the window', async () => {
  const { clock, take, admitted } = windowAt(3)
  for (const time of [0, 10_000, 20_000]) {
    clock.time = time
    expect(await take('a')).toBeNull()
  }
  clock.time = 30_000
  expect(await take('a')).toBe(30_000)
  clock.time = 60_000
  expect([await admitted(3), await take('a')]).toEqual([1, 10_000])
})

it('counts keys apart, and refused events not at all', async () => {
  const { clock, take, admitted } = windowAt(2)
  expect(await admitted(50)).toBe(2)
  expect(await take('b')).toBeNull()
  clock.time += windowMs
  expect(await admitted(50)).toBe(2)
})

it('never admits more than its limit in any minute, and never refuses below it', async () => {
  const random = testRandom()
  const max = 20
  const { clock, take } = windowAt(max)
  const admitted: number[] = []
  for (let event = 0; event < 5_000; event++) {
    clock.time += random() < 0.9 ? random() * 2_000 : random() * windowMs
    const inWindow = admitted.filter((time) => time > clock.time - windowMs).length
    const wait = await take('a')
    expect(wait === null, `event ${event}`).toBe(inWindow < max)
    if (wait === null) admitted.push(clock.time)
  }
})
