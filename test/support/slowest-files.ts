import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 10

const secondsOf = (module: TestModule) => {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

/** Prints which test files took longest, at the end of a run. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= shown) return
    const slowest = modules
      .map((module) => ({ file: relative(process.cwd(), module.moduleId), seconds: secondsOf(module) }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, shown)
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`)
    console.log([`The ${shown} slowest test files:`, ...lines, ''].join('\n'))
  },
}
