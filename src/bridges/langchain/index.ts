export type { AnySession } from '../helpers/any-session.ts'
export { UnforgetChatMessageHistory } from './unforget-chat-message-history.ts'
