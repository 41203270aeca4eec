/** The deadline to suggest for a case that did not end by this one, in milliseconds: whole seconds, and much longer. */
export function longerThan(deadline: number): number {
  return Math.max(10, Math.ceil((deadline * 5) / 1000)) * 1000
}
