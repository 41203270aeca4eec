import { startProcess } from './start-process.ts'

/** Lets a process run to its end and returns what it reported. */
export async function runToEnd<Report>(script: string, folder: string): Promise<{ pid: number; report: Report }> {
  const reports: Report[] = []
  const { pid, ended } = startProcess<Report>(script, folder, (report) => reports.push(report))
  const { code, signal } = await ended
  const [report] = reports
  if (report === undefined || code !== 0) {
    throw new Error(`${script} (pid ${pid}) ended with ${signal ?? `exit code ${code}`} and ${reports.length} reports`)
  }
  return { pid, report }
}
