import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeftBehind, processMark } from './process-mark.ts'

export type TemporaryKind = 'golden' | 'seed' | 'diff' | 'copies' | 'page'

const day = 86_400_000
const ownName = /^unforget-(golden|seed|diff|copies|page)-/
let isSwept = false

/** A new folder for temporary files. The first call in a process removes the folders of killed processes. */
export function makeTemporaryFolder(kind: TemporaryKind): string {
  if (!isSwept) {
    isSwept = true
    sweepTemporaryFolders()
  }
  return mkdtempSync(join(tmpdir(), `unforget-${kind}-${processMark}-`))
}

/** Pages stay for a day after their process ended, because a browser may still show them. */
export function sweepTemporaryFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const kind = ownName.exec(name)?.[1]
    if (kind === undefined || !isLeftBehind(name)) continue
    const folder = join(tmpdir(), name)
    try {
      if (kind === 'page' && Date.now() - statSync(folder).mtimeMs < day) continue
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // another user's, or somebody else is removing it
    }
  }
}
