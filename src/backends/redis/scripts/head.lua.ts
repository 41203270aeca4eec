import { headFields } from '../../../core/head-values.ts'
import type { SessionHead } from '../../../core/session-state.ts'

/** What each field of a head is called in a script, and what it looks like as text. Counts are numbers there. */
const inLua: Record<keyof SessionHead, { readonly name: string; readonly like: string; readonly isCount?: true }> = {
  birth: { name: 'birth', like: '%S+' },
  counter: { name: 'counter', like: '%d+', isCount: true },
  nonce: { name: 'nonce', like: '%S+' },
  epoch: { name: 'epoch', like: '%d+', isCount: true },
  epochNonce: { name: 'epochNonce', like: '%S+' },
  end: { name: 'last', like: '%d+', isCount: true },
  createdAt: { name: 'created', like: '%d+' },
  updatedAt: { name: 'updated', like: '%d+' },
  ttl: { name: 'ttl', like: '%S+' },
  ownTtl: { name: 'own', like: '[01]' },
  expiresAt: { name: 'ends', like: '%S+' },
  takenBack: { name: 'takenBack', like: '%d+', isCount: true },
  takenBackNonce: { name: 'takenNonce', like: '%S+' },
}
const fields = headFields.map((field) => inLua[field])
const names = fields.map(({ name }) => name).join(', ')

/** `headText` writes a head as `headFromText` reads it, with its log; `headOf` reads what `headToText` wrote. */
export const headLua = `
local function headText(head)
  return table.concat({
    ${fields.map(({ name, isCount }) => (isCount ? `text(head.${name})` : `head.${name}`)).join(', ')},
    redis.call('HGET', state, 'log') or head.birth,
  }, ' ')
end

local function headOf(packed)
  local ${names} = string.match(packed, '^${fields.map(({ like }) => `(${like})`).join(' ')}$')
  return {
    ${fields.map(({ name, isCount }) => `${name} = ${isCount ? `tonumber(${name})` : name}`).join(', ')},
    sums = 0, buried = '0', hasEarlier = '0',
  }
end
`
