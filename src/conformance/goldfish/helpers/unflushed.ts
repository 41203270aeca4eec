import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { FullStore } from '../../case.ts'
import type { Bowl } from '../goldfish.ts'

/** How a change that was never flushed is undone. */
export type Undo =
  | { readonly rewind: string; readonly to: number }
  | { readonly rollback: string; readonly id: string }
  | { readonly forget: string; readonly id: string }
  | { readonly restore: string; readonly messages: Parameters<FullStore['addMessages']>[1] }

/**
 * As if changes stayed in a buffer until the handle is closed: whoever opens the memory after a process that ended without closing
 * finds it without that process's last change.
 */
export function unflushed(sound: FullStore, { location }: Bowl) {
  const file = `${location}.unflushed`
  const recover = async () => {
    if (!existsSync(file)) return
    const { pid, undo } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; undo: Undo }
    if (pid === process.pid || isAlive(pid)) return
    rmSync(file, { force: true })
    if ('rewind' in undo) await sound.rewind(undo.rewind, { to: undo.to })
    else if ('rollback' in undo) await sound.rollbackToSnapshot(undo.rollback, undo.id)
    else if ('forget' in undo) await sound.deleteSnapshot(undo.forget, undo.id)
    else {
      await sound.clear(undo.restore)
      await sound.addMessages(undo.restore, undo.messages)
    }
  }
  return {
    recover,
    note: (undo: Undo) => writeFileSync(file, JSON.stringify({ pid: process.pid, undo })),
    flush: () => rmSync(file, { force: true }),
    async getHistory(...parameters: Parameters<FullStore['getHistory']>) {
      await recover()
      return sound.getHistory(...parameters)
    },
    async close() {
      rmSync(file, { force: true })
      await sound.close()
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
