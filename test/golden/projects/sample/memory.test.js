import { say } from './database.js'
import { concurrent, describe, each, failsAfterBody, skipsItself, test, timesOut } from './fixtures.js'

const { SAID = 'my name is Wang', FAIL, DROP } = process.env

describe('the memory', () => {
  test('remembers', async ({ snapshotDb }) => {
    say(snapshotDb.path, 'first')
    await snapshotDb.step('one message')
    say(snapshotDb.path, SAID)
  })

  test('may fail', ({ snapshotDb }) => {
    say(snapshotDb.path, FAIL ?? 'all is well')
    if (FAIL) throw new Error('the body failed')
  })

  const perhaps = DROP ? test.skip : test
  perhaps('is skipped later', async ({ snapshotDb }) => {
    await snapshotDb.step('before')
    say(snapshotDb.path, 'for now')
  })
})

const group = DROP ? describe.skip : describe
group('a group that is skipped later', () => {
  test('has tests', ({ snapshotDb }) => say(snapshotDb.path, 'in a group'))
})

each(['tea', 'coffee'])('drinks %s', (drink, { snapshotDb }) => say(snapshotDb.path, drink))

for (const name of ['left', 'right']) concurrent(name, ({ snapshotDb }) => say(snapshotDb.path, name))

test.skip('is skipped', ({ snapshotDb }) => say(snapshotDb.path, 'never'))
skipsItself('skips itself', ({ snapshotDb }) => say(snapshotDb.path, 'never'))

if (!DROP) test('dropped', ({ snapshotDb }) => say(snapshotDb.path, 'dropped'))

if (FAIL) {
  failsAfterBody('fails after its body', ({ snapshotDb }) => say(snapshotDb.path, 'never'))
  let release
  timesOut('is too late', async ({ snapshotDb }) => {
    say(snapshotDb.path, 'never')
    const alive = setInterval(() => {}, 1000)
    await new Promise((resolve) => {
      release = resolve
    })
    clearInterval(alive)
  })
  test('lets the late one end', async ({ snapshotDb }) => {
    release?.()
    await snapshotDb.step('in the meantime')
    await snapshotDb.step('so that there is time to write')
    throw new Error('nor is this one written')
  })
  for (const _ of [1, 2]) {
    test('twin', ({ snapshotDb: _ }) => {
      throw new Error('only one of the twins gets here')
    })
  }
}
