import { tsxFlags } from '../plain/tsx-flags.ts'

/** The Node arguments for loading these modules: none for JavaScript, a loader for TypeScript if needed. */
export function typeScriptLoader(...modules: readonly URL[]): string[] {
  const flags = tsxFlags(...modules)
  if (flags !== null) return flags
  if ((process.features as { typescript?: unknown }).typescript) return []
  throw new Error(`Node ${process.versions.node} cannot load TypeScript on its own: npm install --save-dev tsx`)
}
