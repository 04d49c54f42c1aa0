/**
 * The picture an article's own page names for being shown elsewhere (og:image and its kin), absolute, or null.
 * @param bytes the page, or its beginning
 */
export function readPageImage(
  _bytes: Uint8Array,
  _from: { contentType?: string | undefined; url: URL },
): string | null {
  return null
}
