import { escapeHidden } from '../../plain/visible-text.ts'
import { type Suggestion, showProposal } from '../compare/propose-volatile.ts'

const listed = 8

/** What to add to a test whose values change on every run, and what that leaves. */
export function renderSuggestion({ proposal, stillDiffers }: Suggestion): string {
  const line = `  ${showProposal(proposal)}`
  if (stillDiffers.length === 0) return `Only values that change on every run differ. If that is so, add:\n\n${line}`
  const rest = stillDiffers.length - listed
  const names = [...stillDiffers.slice(0, listed), ...(rest > 0 ? [`${rest} more`] : [])].map(escapeHidden).join(', ')
  return `Some of the values that differ look as if they change on every run. If they do, add:\n\n${line}\n\nStill different then: ${names}.`
}
