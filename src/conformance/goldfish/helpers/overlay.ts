/** The methods of `over`, and those of `under` for the rest, each called on its own object. */
export function overlay<T extends object>(under: T, over: Partial<T>): T {
  return new Proxy(under, {
    get: (target, name) => {
      const owner = Object.hasOwn(over, name) ? over : target
      const value: unknown = Reflect.get(owner, name)
      return typeof value === 'function' ? value.bind(owner) : value
    },
  })
}
