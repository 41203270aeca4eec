/** Each tool's input and output, as the AI SDK's `UITools` describes them. */
export type Tools = {
  weather: { input: { city: string }; output: { city: string; sky: string; degrees: number } }
  order: { input: { number: number }; output: { number: number; arrives: string } }
}

export type ToolCall = { [Name in keyof Tools]: { name: Name; input: Tools[Name]['input'] } }[keyof Tools]

const skies = ['sunny', 'cloudy', 'rainy', 'windy']
const days = ['on Monday', 'on Wednesday', 'on Friday', 'tomorrow']

/** Tools that only read: a request that is made again may run them again. */
export const tools: { [Name in keyof Tools]: (input: Tools[Name]['input']) => Tools[Name]['output'] } = {
  weather: ({ city }) => ({ city, sky: skies[city.length % 4] ?? '', degrees: 10 + (city.length % 15) }),
  order: ({ number }) => ({ number, arrives: days[number % 4] ?? '' }),
}
