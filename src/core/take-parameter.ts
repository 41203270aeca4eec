import { misuse } from './errors.ts'

/**
 * Turns a parameter of a store URL into the option of the same name, and returns the URL without it. If both are given, they must
 * match. Anything that is not a URL is returned as is.
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
    throw misuse(`url: its parameter ${name} conflicts with options.${name}`)
  }
  url.searchParams.delete(name)
  return [url.href, { ...options, [name]: values[0] }]
}
