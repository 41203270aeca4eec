/** An expired session must be gone within this many milliseconds: some stores count in seconds. */
export const graceOfExpiry = 1500
