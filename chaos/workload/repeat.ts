import { isWrite, type Operation } from '../checker/history.ts'

/** Whether another process may ask for it again under the same id: not what belongs to a turn, which that process does not hold. */
export function isRepeatable(operation: Operation): boolean {
  return (isWrite(operation) || operation.call.method === 'fork') && operation.turn === undefined
}
