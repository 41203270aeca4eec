/** The 32 bits of each number, in hexadecimal. */
export function bitsOf(embedding: Float32Array): string {
  const words = new Uint32Array(embedding.slice().buffer)
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(' ')
}
