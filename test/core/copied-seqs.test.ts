import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CopiedSeqs } from '../../src/core/copied-seqs.ts'
import { rangesOf, seqsOf } from '../../src/core/path.ts'

const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })

test('covered seqs are mapped to their places on the path, ascending, without those that are not on it', () => {
  fc.assert(
    fc.property(seqs, seqs, (path, covered) => {
      const covers = rangesOf(covered.toSorted((a, b) => a - b))
      const expected = covered.flatMap((seq) => (path.includes(seq) ? [path.indexOf(seq) + 1] : []))
      const mapped = new CopiedSeqs(rangesOf(path)).map(covers)
      expect([...seqsOf(mapped)]).toEqual(expected.toSorted((a, b) => a - b))
      expect(mapped).toEqual(rangesOf(seqsOf(mapped)))
    }),
  )
})
