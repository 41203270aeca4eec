import { RespConversation } from './resp-conversation.ts'
import type { WireProtocol } from './wire-protocol.ts'

/** The error replies that are known by name, in the words of Redis 7. */
const errors = {
  OOM: "OOM command not allowed when used memory > 'maxmemory'.",
  LOADING: 'LOADING Redis is loading the dataset in memory',
  READONLY: "READONLY You can't write against a read only replica.",
  BUSY: 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
  NOAUTH: 'NOAUTH Authentication required.',
  CLUSTERDOWN: 'CLUSTERDOWN The cluster is down',
  MISCONF:
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.",
} as const

export type RedisErrorReply = keyof typeof errors

export const redisErrorReplies = Object.keys(errors) as readonly RedisErrorReply[]

/** The protocol of Redis and Valkey, RESP2 and RESP3. */
export const resp: WireProtocol = {
  scheme: 'redis',
  errorReplies: redisErrorReplies,
  open: () => new RespConversation(),
  errorReply: (reply) => {
    const line = Object.hasOwn(errors, reply) ? errors[reply as RedisErrorReply] : reply
    if (!/^[A-Z]+ [^\r\n]+$/.test(line)) {
      throw new TypeError(
        `reply: expected one of ${redisErrorReplies.join(', ')}, or a line such as "ERR no such thing"`,
      )
    }
    return Buffer.from(`-${line}\r\n`)
  },
}
