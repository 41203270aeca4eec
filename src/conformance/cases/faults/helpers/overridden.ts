import type { Backend } from '../../../../core/backend.ts'

/** A backend some of whose methods are others. Each gets the backend that is under it. */
export function overridden(methods: (under: Backend) => Partial<Backend>): (backend: Backend) => Backend {
  return (backend) => {
    const own = methods(backend)
    return new Proxy(backend, {
      get: (target, name) => {
        const owner = Object.hasOwn(own, name) ? own : target
        const value: unknown = Reflect.get(owner, name)
        return typeof value === 'function' ? value.bind(owner) : value
      },
    })
  }
}
