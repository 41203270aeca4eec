import { checkOptions, isText, isUrl, type Rule, refuse, requireText } from '../system/check-options.ts'

export interface ProcessOptions {
  /** Kills the process with SIGKILL when it calls `reach` with this name. It is an error if it never does. */
  readonly killAt?: string | undefined
  /** In milliseconds. Then the process is killed and the call throws. Default: 30 seconds. */
  readonly deadline?: number | undefined
}

const ofProcesses: Readonly<Record<keyof ProcessOptions, Rule>> = {
  killAt: { is: isText, what: 'the name of a point' },
  deadline: { is: (value) => typeof value === 'number' && value > 0, what: 'a number of milliseconds' },
}

/** Rejects arguments that cannot be passed to a process. */
export function checkProcess(module: unknown, exportName: unknown, options: ProcessOptions): void {
  if (typeof module !== 'string' && !isUrl(module)) refuse('The module of a process', module, 'a URL')
  requireText('The name of the function of a process', exportName)
  checkOptions('snapshotDb.process', options, ofProcesses)
}
