/** Node's names for what keeps a process alive, in words. */
const words: Record<string, readonly [one: string, many: string]> = {
  Timeout: ['timer', 'timers'],
  Immediate: ['immediate', 'immediates'],
  TCPSocketWrap: ['connection', 'connections'],
  TLSWrap: ['connection', 'connections'],
  TCPServerWrap: ['listening server', 'listening servers'],
  PipeWrap: ['pipe', 'pipes'],
  ProcessWrap: ['child process', 'child processes'],
  MessagePort: ['worker or message port', 'workers or message ports'],
  FSEventWrap: ['file watcher', 'file watchers'],
}

/** `2 timers, 1 connection`, of the names that `process.getActiveResourcesInfo` returns. */
export function nameResources(resources: readonly string[]): string {
  if (resources.length === 0) return 'Node does not say what does'
  const counts = new Map<string, number>()
  for (const name of resources) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} ${words[name]?.[count === 1 ? 0 : 1] ?? name}`).join(', ')
}
