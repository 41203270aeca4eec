import type { FullStore } from '../../case.ts'
import { codeOf } from './code-of.ts'

/** Writes a session that must not exist. If it does and `mayOverwrite`, removes it and writes again. */
export async function overwriting<T>(
  sound: FullStore,
  id: string,
  mayOverwrite: boolean,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!mayOverwrite || codeOf(error) !== 'SESSION_EXISTS') throw error
    await sound.deleteSession(id)
    return write()
  }
}
