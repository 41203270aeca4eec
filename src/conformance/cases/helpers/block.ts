/** Keeps this process from doing anything for so many milliseconds, as a stopped process would be. */
export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
