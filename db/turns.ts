/** Gives one caller at a time its turn, in the order in which they asked; each ends its turn by calling what it got. */
export function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve()
  return () => {
    let done: () => void = () => {}
    const mine = last.then(() => done)
    last = new Promise((resolve) => (done = resolve))
    return mine
  }
}
