import type { Failure } from '../../report/failure.ts'

/** A failure with texts that can be read and sent, whatever the store put into them. */
export function shortenFailure(failure: Failure): Failure {
  const { message, expected, actual, stack } = failure
  return {
    ...failure,
    message: cut(message, 2000),
    expected: expected && cut(expected, 20_000),
    actual: actual && cut(actual, 20_000),
    stack: stack && cut(stack, 8000),
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} … (${text.length - most} more characters)` : text
}
