/** A thing in the words of schema.org, with a context of its own. */
export type StructuredData = { '@context': 'https://schema.org'; '@type': string; [property: string]: unknown }

/** Puts a thing into the context that gives its words their meaning. */
export const thing = (type: string, properties: Record<string, unknown>): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': type,
  ...properties,
})

/** The way from the top to a page, the page itself at its end; addresses absolute. */
export const breadcrumbs = (trail: { name: string; url: string }[]): StructuredData =>
  thing('BreadcrumbList', {
    itemListElement: trail.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  })

/**
 * JSON that can stand inside a script block: what could end the block or begin another one, and the two line ends
 * that JavaScript has and JSON has not, are written as escapes.
 */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
