/** The stores of the kit, one for each bridge that keeps conversations. */
export const storeFiles = [
  new URL('./langchain/history.store.ts', import.meta.url),
  new URL('./openai-agents/session.store.ts', import.meta.url),
]
