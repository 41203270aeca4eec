import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The path of Chromium: the one named by `UNFORGET_CHROMIUM`, or the first on the PATH. */
export function findChromium(environment = process.env) {
  const named = environment.UNFORGET_CHROMIUM
  if (named) return named
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  if (found === undefined) {
    throw new Error('no Chromium is on the PATH. Install one (Debian: sudo apt-get install chromium), or set UNFORGET_CHROMIUM')
  }
  return found
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
