/** An expired session is gone this many milliseconds after its time at the latest: some stores count in seconds. */
export const graceOfExpiry = 1500
