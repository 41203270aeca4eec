import { say } from './database.js'
import { test } from './fixtures.js'

test('starts from the same golden', ({ snapshotDb }) => say(snapshotDb.path, 'other'))

if (process.env.NEW) test('new', ({ snapshotDb }) => say(snapshotDb.path, 'new'))
