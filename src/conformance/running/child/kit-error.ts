/** A fault of the kit or of the machine it runs on, and not of the store under proof. */
export class KitError extends Error {
  override name = 'KitError'
}
