const region = /(<!-- bench: (.+?) -->\n).*?(<!-- \/bench -->)/gs

/** A page with what stands between `<!-- bench: name -->` and `<!-- /bench -->` written anew. */
export function fillRegions(page: string, regions: Readonly<Record<string, string>>): string {
  return page.replaceAll(region, (_, start: string, name: string, end: string) => {
    const text = regions[name]
    if (text === undefined) throw new Error(`the page has a region that the bench does not know: ${name}`)
    return `${start}\n${text}\n\n${end}`
  })
}
