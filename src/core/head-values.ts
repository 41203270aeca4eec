import type { SessionHead } from './session-state.ts'

const order = {
  birth: 0,
  counter: 0,
  nonce: 0,
  epoch: 0,
  epochNonce: 0,
  end: 0,
  createdAt: 0,
  updatedAt: 0,
  ttl: 0,
  ownTtl: 0,
  expiresAt: 0,
  takenBack: 0,
  takenBackNonce: 0,
} satisfies Record<keyof SessionHead, 0>

/** In the order in which backends write a head where its values have no names. Heads are stored like that: it never changes. */
export const headFields = Object.keys(order) as readonly (keyof SessionHead)[]

/** What the fields are called in SQL, in the same order. */
export const headColumns: readonly string[] = headFields.map((field) =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

export function valuesOfHead(head: SessionHead): SessionHead[keyof SessionHead][] {
  return headFields.map((field) => head[field])
}

/** `values` may go on after those of the head. */
export function headOfValues(values: readonly unknown[]): SessionHead {
  return Object.fromEntries(headFields.map((field, index) => [field, values[index]])) as unknown as SessionHead
}
