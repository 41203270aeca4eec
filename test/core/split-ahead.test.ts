import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangesOf, seqsOf } from '../../src/core/path.ts'
import { splitAhead } from '../../src/core/split-ahead.ts'

const entry = (seq: number) => ({ seq, at: 0, kind: 'message' as const, format: 3, body: '', bytes: null })
const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 30 })

test('what was read ahead and what is left make up the ranges, in order', () => {
  fc.assert(
    fc.property(seqs, seqs, (path, read) => {
      const { head, unread, tail } = splitAhead(rangesOf(path), read.map(entry))
      const all = [...head.map(({ seq }) => seq), ...seqsOf(unread), ...tail.map(({ seq }) => seq)]
      expect(all).toEqual(path)
    }),
  )
})

test('a page that was read ahead leaves nothing to be read', () => {
  fc.assert(
    fc.property(seqs, fc.nat(30), fc.nat(30), (path, from, count) => {
      const page = path.slice(from, from + count)
      const { unread } = splitAhead(rangesOf(page), path.map(entry))
      expect(unread).toEqual([])
    }),
  )
})
