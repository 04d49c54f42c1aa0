export type StructuredData = { '@context': 'https://schema.org'; '@type': string; [property: string]: unknown }

export const createStructuredData = (type: string, properties: Record<string, unknown>): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': type,
  ...properties,
})

/** @param trail names and absolute URLs, from the top page down to the page itself */
export const breadcrumbs = (trail: { name: string; url: string }[]): StructuredData =>
  createStructuredData('BreadcrumbList', {
    itemListElement: trail.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  })

/** Escapes `<`, `>`, `&` and two line separators, because they could break a script block. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
