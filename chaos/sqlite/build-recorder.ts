import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./recorder.c', import.meta.url))

/** The recorder cannot be built here. */
export class CannotRecord extends Error {}

/** Compiles the recorder into a folder. */
export function buildRecorder(folder: string): string {
  if (process.platform !== 'linux') throw new CannotRecord('power cuts and failing calls are recorded on Linux only')
  const library = join(folder, 'recorder.so')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'], { stdio: 'pipe' })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    throw new CannotRecord('the recorder needs a C compiler, and there is no gcc: apt-get install gcc libc6-dev')
  }
  return library
}
