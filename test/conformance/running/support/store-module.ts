import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** A store of a stranger's: the four core methods, sound, and nothing else. */
export const soundStore = `
const memories = new Map()

function check(isFine, what) {
  if (!isFine) throw new TypeError('expected ' + what)
}

const idFields = ['id', 'toolCallId', 'tool_call_id', 'tool_use_id', 'approvalId']

/** The ids that a turn's parts and calls name. */
function idsIn(value) {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, one]) =>
    typeof one === 'string' ? (idFields.includes(field) ? [one] : []) : idsIn(one),
  )
}

function isAnswer(turn) {
  return turn.role === 'tool' || /"tool_result"|"functionResponse"/.test(JSON.stringify(turn))
}

/** A tool's result whose call is not there. */
function isOrphan(turn, index, turns) {
  if (!isAnswer(turn)) return false
  const calls = turns.slice(0, index).filter((one) => !isAnswer(one))
  const answered = idsIn(turn)
  if (answered.length === 0) return !calls.some((one) => JSON.stringify(one).includes('functionCall'))
  return !answered.every((id) => calls.some((one) => idsIn(one).includes(id)))
}

function openSound({ location }) {
  const sessions = memories.get(location) ?? new Map()
  memories.set(location, sessions)
  const of = (id) => {
    check(typeof id === 'string' && id !== '', 'a session id')
    return sessions.get(id) ?? []
  }
  return {
    async addMessages(id, messages) {
      check(Array.isArray(messages) && messages.every((one) => one?.role !== undefined), 'turns')
      sessions.set(id, [...of(id), ...structuredClone(messages)])
    },
    async getHistory(id) {
      return structuredClone(of(id))
    },
    async trim(id, { maxEntries }) {
      check(Number.isInteger(maxEntries) && maxEntries >= 0, 'maxEntries')
      let kept = of(id).slice(Math.max(0, of(id).length - maxEntries))
      while (kept.some(isOrphan)) kept = kept.slice(1)
      sessions.set(id, kept)
    },
    async clear(id) {
      check(typeof id === 'string', 'a session id')
      sessions.delete(id)
    },
  }
}

const definition = { name: 'my store', open: openSound }
`

export interface StoreModule {
  readonly cwd: string
  /** As one would type it in the folder. */
  readonly file: string
  readonly url: URL
}

/** The module of the sound store, with a change to its definition, in a folder of its own. */
export function storeModule(change = '', file = './my-store.mjs'): Promise<StoreModule> {
  return moduleOf(`${soundStore}\n${change}\nexport default definition\n`, file)
}

/** The sound store with some methods in the place of its own; they may call those of \`sound\`. */
export function storeWith(methods: string): Promise<StoreModule> {
  return storeModule(`definition.open = (request) => {
  const sound = openSound(request)
  return { ...sound, ${methods} }
}`)
}

export async function moduleOf(code: string, file = './my-store.mjs'): Promise<StoreModule> {
  const cwd = await temporaryFolder()
  const path = join(cwd, file)
  await writeFile(path, code)
  return { cwd, file, url: pathToFileURL(path) }
}
