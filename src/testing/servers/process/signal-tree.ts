import { spawnSync } from 'node:child_process'

/**
 * For the shell: `signal_tree STOP 123` sends a signal to the children of a process, then to itself. A group would not do: every process of PostgreSQL
 * is a group of its own. It is stopped first, so that it does not start another process or react to the end of one. `KILL` also waits until the children
 * have ended: PostgreSQL refuses to start while one of them holds its shared memory.
 */
export const signalTree = `
children_of() {
  if [ -e /proc/self/status ]; then grep -ls "^PPid:[[:space:]]*$1\\$" /proc/[0-9]*/status | cut -d/ -f3; else pgrep -P "$1"; fi
}
is_running() {
  if [ -e /proc/self/status ]; then grep -qs '^State:[[:space:]]*[RSDI]' "/proc/$1/status"; else ps -o state= -p "$1" | grep -q '^[RSDIU]'; fi
}
has_ended() {
  if [ -e /proc/self/status ]; then ! grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; else ! ps -o state= -p "$1" | grep -q '^[^Z]'; fi
}
signal_tree() {
  kill -s STOP "$2" || return
  while is_running "$2"; do sleep 0.01; done
  children=$(children_of "$2")
  for child in $children; do kill -s "$1" "$child"; done
  kill -s "$1" "$2"
  [ "$1" = KILL ] || return 0
  for child in $children; do until has_ended "$child"; do sleep 0.01; done; done
}
`

/** A process that has already ended is ignored. */
export function sendToTree(pid: number, signal: 'STOP' | 'CONT' | 'KILL'): void {
  spawnSync('/bin/sh', ['-c', `${signalTree}\nsignal_tree "$1" "$2"`, 'signal', signal, String(pid)], {
    stdio: 'ignore',
  })
}
