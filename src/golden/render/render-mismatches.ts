import { quoteVisibly } from '../../plain/visible-text.ts'
import type { Mismatch } from '../compare/golden-mismatch-error.ts'
import { type RenderOptions, renderDiff } from './render-diff.ts'
import { renderSuggestion } from './render-suggestion.ts'

/** What a failed test says: each golden that does not match, what differs, and what to do about it. */
export function renderMismatches(mismatches: readonly Mismatch[], options: RenderOptions): string {
  return mismatches.map((mismatch) => renderMismatch(mismatch, options)).join('\n\n')
}

function renderMismatch(
  { golden, step, diff, pending, proposal, stillDiffers }: Mismatch,
  options: RenderOptions,
): string {
  const what = step === null ? 'The database' : `The database at step ${quoteVisibly(step)}`
  if (diff === null) {
    return `${what} has no golden at ${golden}, and nothing is written in this run. Run the test locally and commit the golden.`
  }
  const hints = [
    proposal === null ? [] : renderSuggestion({ proposal, stillDiffers }),
    pending === null
      ? []
      : `If the change is right, accept ${pending} (unforget golden review), or run with SNAPSHOT_UPDATE=all.`,
  ].flat()
  return [`${what} does not match its golden (${golden}).`, renderDiff(diff, options), ...hints].join('\n\n')
}
