export type { ChatState, SaveOptions } from './commit-chat.ts'
export type { UIMessageShape } from './ui-message.ts'
export { loadChat, UnforgetChat } from './unforget-chat.ts'
export { type AnyMemory, UnforgetChats } from './unforget-chats.ts'
