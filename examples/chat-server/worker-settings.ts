export interface WorkerSettings {
  readonly port: number
  /** The URL of the memory. */
  readonly memory: string
  /** The URL of the model. */
  readonly model: string
  readonly lease: number
}

/** The settings of a worker as environment variables: no other process sees a password in them, as it would in arguments. */
export function writeWorkerSettings(settings: WorkerSettings): Record<string, string> {
  return { CHAT_WORKER: JSON.stringify(settings) }
}

export function readWorkerSettings(): WorkerSettings {
  return JSON.parse(process.env['CHAT_WORKER'] ?? '') as WorkerSettings
}
