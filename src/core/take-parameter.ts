import { misuse } from './errors.ts'

/**
 * What a store URL says by a parameter becomes the option of the same name, and the URL is returned without it; if both are given, they must say
 * the same. What is no URL is returned as it is.
 */
export function takeParameter<Target, Name extends string, Options extends { [name in Name]?: string | undefined }>(
  target: Target | string,
  name: Name,
  options: Options,
): [Target | string, Options] {
  if (typeof target !== 'string' || !URL.canParse(target)) return [target, options]
  const url = new URL(target)
  const values = url.searchParams.getAll(name)
  if (values.length === 0) return [target, options]
  if (new Set([...values, options[name] ?? values[0]]).size > 1) {
    throw misuse(`url: its parameter ${name} says something else than options.${name}`)
  }
  url.searchParams.delete(name)
  return [url.href, { ...options, [name]: values[0] }]
}
