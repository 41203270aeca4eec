/** How many milliseconds a call may hold the event loop, and the write lock of a file. */
export const mayHold = { loop: 50, lock: 200 }
