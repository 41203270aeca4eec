import { tsxFlags } from '../plain/tsx-flags.ts'

/** The arguments with which Node can load these modules: none for JavaScript, a loader for TypeScript where Node needs one. */
export function typeScriptLoader(...modules: readonly URL[]): string[] {
  const flags = tsxFlags(...modules)
  if (flags !== null) return flags
  if ((process.features as { typescript?: unknown }).typescript) return []
  throw new Error(`Node ${process.versions.node} does not load TypeScript by itself: npm install --save-dev tsx`)
}
