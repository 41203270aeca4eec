/**
 * Nothing could be proved; the message says why. `store`: its module does not load, or `open` returns no handle. `kit`: the fault is ours or the
 * machine's.
 */
export class CannotProve extends Error {
  override name = 'CannotProve'
  readonly fault: 'store' | 'kit'

  constructor(fault: 'store' | 'kit', message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
