import { readFileSync } from 'node:fs'

/** What to install, by package manager; `elsewhere` is a sentence. */
export interface Packages {
  readonly brew: string
  readonly apt: string
  readonly dnf: string
  readonly apk: string
  readonly pacman: string
  readonly elsewhere: string
}

/** A sentence for this platform, without the period. */
export function howToInstall(
  packages: Packages,
  platform: string = process.platform,
  release: string = readRelease(),
): string {
  if (platform === 'darwin') return `Install one: brew install ${packages.brew}`
  if (platform === 'win32') {
    return `This does not run on Windows itself. Run the tests in WSL (wsl --install), and there: sudo apt-get install ${packages.apt}`
  }
  const family = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, ids = '']) => ids.split(' '))
  if (family.some((id) => id === 'debian' || id === 'ubuntu')) {
    return `Install one: sudo apt-get update && sudo apt-get install ${packages.apt}`
  }
  if (family.some((id) => id === 'fedora' || id === 'rhel')) return `Install one: sudo dnf install ${packages.dnf}`
  if (family.includes('alpine')) return `Install one: apk add ${packages.apk}`
  if (family.includes('arch')) return `Install one: sudo pacman -S ${packages.pacman}`
  return `Install one: ${packages.elsewhere}`
}

function readRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
