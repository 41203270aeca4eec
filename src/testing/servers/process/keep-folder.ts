import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { bornAt } from './born-at.ts'
import { signalTree } from './signal-tree.ts'

/** A temporary folder that does not outlive this process; neither do the processes registered with its keeper, and their children. */
export interface KeptFolder {
  readonly path: string
  /** The pipe to the keeper, on which a process registers: a line with its id and its `born_at`. */
  readonly pipe: Writable
  /** Ends those processes and removes the folder. */
  remove(): Promise<void>
}

// It reads a pipe that closes when this process has ended, for whatever reason, and everything it started has registered. It learns whom to end from
// there, because the folder may already be gone. A killed PostgreSQL leaves a segment of shared memory; of one that was killed earlier, its
// own file names it.
const keeper = `
trap '' INT TERM HUP PIPE
${bornAt}
${signalTree}
segments_of() {
  ipcs -m -p | awk -v pid="$1" 'NF > 1 && $(NF - 1) == pid { print $1 == "m" ? $2 : $1 }'
}
mkdir -m 711 -- "$1" || exit 1
echo made
told=
while read -r line; do
  told="$told$line
"
done
printf %s "$told" | while read -r pid born; do
  [ "$(born_at "$pid")" = "$born" ] || continue
  signal_tree KILL "$pid"
  for segment in $(segments_of "$pid"); do ipcrm -m "$segment"; done
done
for file in "$1"/*/data/postmaster.pid; do
  if [ -e "$file" ]; then ipcrm -m "$(sed -n '7s/.* //p' "$file")"; fi
done
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf -- "$1" && exit 0
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
    pipe: child.stdin,
    remove: () => {
      removal ??= remove()
      return removal
    },
  }
}
