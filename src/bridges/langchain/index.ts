export { UnforgetChatMessageHistory } from './unforget-chat-message-history.ts'
