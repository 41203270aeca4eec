import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signalTree } from './signal-tree.ts'

/** A temporary folder that does not outlive this process, and with it the processes whose ids are in its `*.pid` files, and their children. */
export interface KeptFolder {
  readonly path: string
  /** Ends those processes and removes the folder. */
  remove(): Promise<void>
}

// It reads a pipe that closes when this process ends, however that happens. The folder is renamed first, so that nothing starts in it any more:
// what starts there writes its id before. A PostgreSQL that is killed leaves a segment of shared memory, which its own file names.
const keeper = `
trap '' INT TERM HUP
${signalTree}
mkdir -m 711 -- "$1" || exit 1
echo made
read -r line
mv -- "$1" "$1.ending"
for file in "$1.ending"/*.pid; do
  if [ -e "$file" ]; then read -r pid <"$file" && signal_tree KILL "$pid"; fi
done
for file in "$1.ending"/*/data/postmaster.pid; do
  if [ -e "$file" ]; then ipcrm -m "$(sed -n '7s/.* //p' "$file")"; fi
done
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf -- "$1.ending" && exit 0
  sleep 0.1
done
exit 1
`

export async function keepFolder(): Promise<KeptFolder> {
  const path = join(tmpdir(), `unforget-server-${randomBytes(6).toString('hex')}`)
  const child = spawn('/bin/sh', ['-c', keeper, 'keeper', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`${path} cannot be made`))),
  ])
  child.unref()
  child.stdout.destroy()
  let removal: Promise<void> | undefined
  const remove = async () => {
    child.ref()
    child.stdin.end()
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`${path} could not be removed`)
  }
  return {
    path,
    remove: () => {
      removal ??= remove()
      return removal
    },
  }
}
