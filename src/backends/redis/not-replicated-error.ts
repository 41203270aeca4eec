import { MemoryStoreBackendError } from '../../core/errors.ts'

/** Replicas did not confirm a write in time. It was applied, and may be lost if the server is; the same operation again waits once more. */
export class NotReplicatedError extends MemoryStoreBackendError {
  readonly replicas: number
  readonly wanted: number

  constructor(replicas: number, wanted: number) {
    super('NOT_REPLICATED', `only ${replicas} of the ${wanted} requested replicas confirmed it in time`, {
      applied: 'unknown',
    })
    this.replicas = replicas
    this.wanted = wanted
  }
}
