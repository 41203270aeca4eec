/** The code of an error, whichever class it has. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
