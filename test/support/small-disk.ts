import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** A folder on its own disk of this many bytes; null if this process may not mount one. */
export async function smallDisk(bytes: number): Promise<string | null> {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}
