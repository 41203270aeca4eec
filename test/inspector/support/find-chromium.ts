import { join } from 'node:path'
import { foldersOf, isExecutable } from '../../../src/testing/servers/process/executables.ts'
import { howToInstall, type Packages } from '../../../src/testing/servers/process/how-to-install.ts'

const packages: Packages = {
  brew: '--cask chromium',
  apt: 'chromium',
  dnf: 'chromium',
  apk: 'chromium',
  pacman: 'chromium',
  elsewhere: 'see https://www.chromium.org/getting-involved/download-chromium/',
}

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The path of Chromium: the one named by `UNFORGET_CHROMIUM`, or the first on the PATH. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['UNFORGET_CHROMIUM']
  if (named !== undefined && named !== '') return named
  const places = foldersOf(environment).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = places.find(isExecutable)
  if (found === undefined) throw new Error(`no Chromium is on the PATH. ${howToInstall(packages)}`)
  return found
}
