type Kit = typeof import('unforget/conformance')

const built = new URL('../../../../dist/conformance/index.js', import.meta.url)

/** The kit as it is installed, whose processes start faster than those of the sources. */
export const { prove } = (await import(/* @vite-ignore */ built.href)) as Kit
