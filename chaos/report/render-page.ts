import type { Results } from './results.ts'
export function renderPage(results: Results): string {
  return `${JSON.stringify(results.runs.length)}\n`
}
