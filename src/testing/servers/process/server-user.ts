import { readFileSync } from 'node:fs'

/** The user that a server runs as. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** For servers that refuse to run as root: an existing user; undefined if this process is not root. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = users.match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm')) ?? []
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody: run the tests as another user',
  )
}
