/** A fault of the kit or the machine, not of the store under proof. */
export class KitError extends Error {
  override name = 'KitError'
}
