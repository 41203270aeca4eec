import { randomBytes } from 'node:crypto'

/** Twelve hexadecimal digits. */
export const makeNonce = makeStock('hex')

/** Twelve characters of base64url, 72 random bits: names an operation that no caller named, among the last ones of its session. */
export const makeOperationId = makeStock('base64url')

/** Texts from a stock: making them one by one takes longer than the rest of a request. They are too short to hold on to the stock. */
function makeStock(encoding: 'hex' | 'base64url'): () => string {
  let stock = ''
  let used = 0
  return () => {
    if (used >= stock.length) {
      stock = randomBytes(3072).toString(encoding)
      used = 0
    }
    used += 12
    return stock.slice(used - 12, used)
  }
}
